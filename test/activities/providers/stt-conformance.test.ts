import type { SttRequest } from '../../../activities/providers/stt/provider.ts';
import { STT_PROVIDERS } from '../../../contract/values/providers.ts';
import { describeHttp, type CallOptions } from './describe-http.ts';
import { answerJson, providerFailure, useFakeServer } from './fake-provider.ts';
import { AUDIO, memoryJob, readForm, sttProvider, sttRequest } from './stt-call.ts';
import { STT_ROWS, TEXT } from './stt-providers.ts';

const NONSENSE = ['null', '[]', '"hello"', '{}', '{"text":42,"transcript":42}'];

/** Optional properties of a provider's responses that do not change the words. */
const ODDITIES = [
  { words: null, segments: null, diarization: null },
  { words: 'many', segments: 7, diarization: {} },
  { words: [null], segments: [{ text: 42 }], diarization: [7] },
];

it('has a row for every speech-to-text provider', () => {
  expect(STT_ROWS.map(({ provider }) => provider)).to.include.members([...STT_PROVIDERS]);
});

for (const row of STT_ROWS) {
  const { provider: name, model, channelRoles = null } = row;
  const channels = channelRoles?.length ?? 1;
  /** Channels are merged turn by turn. */
  const spoken = channelRoles ? row.turns.map(({ text }) => text).join('\n') : TEXT;

  describe(`The speech-to-text provider ${name} (${model ?? 'no model'}${channelRoles ? ', separate channels' : ''})`, () => {
    const server = useFakeServer();

    const call = ({ url = server.url, timeoutMs = 60_000, ...fields }: CallOptions & Partial<SttRequest> = {}) =>
      sttProvider(name, { baseUrl: url + row.basePath, timeoutMs }).transcribe(
        sttRequest({ model, durationS: row.durationS, channelRoles, ...fields }),
        memoryJob(),
      );

    /** Returns the adapter's result for a response of the provider. */
    const read = (body: unknown = row.answer, fields: Partial<SttRequest> = {}) => {
      server.behave(answerJson(200, body, { [row.requestIdHeader]: 'call-1' }));
      return call(fields);
    };

    describe('request', () => {
      it("§2.3 is one POST of the file, with the key in its header only and the provider's code for the language", async () => {
        for (const [language, code] of [
          ['Auto-Detect', undefined],
          ['uz', 'uz'],
          ['uz-Latn-UZ', 'uz'],
          ['uzb', 'uz'],
          ['RU', 'ru'],
        ] as const) {
          await read(row.answer, { language });
          expect(server.requests).to.have.length(1);
          const request = server.requests[0]!;
          const form = await readForm(request);
          expect(form.fields).to.have.deep.members(row.fields(code));
          if (language !== 'uz') continue;
          const { method, path, headers, body } = request;
          expect([method, path]).to.deep.equal(['POST', row.path]);
          const { [row.auth[0]]: key, ...others } = headers;
          expect(key).to.equal(row.auth[1]);
          expect(JSON.stringify([path, others, body.toString('latin1')])).not.to.contain('test-key');
          expect(Number(headers['content-length'])).to.equal(body.length);
          expect(form.files).to.deep.equal([
            { field: row.fileField, name: 'call.wav', type: 'audio/wav', bytes: AUDIO },
          ]);
        }
      });

      it('keeps file names that are not ASCII', async () => {
        await read(row.answer, { fileName: 'қўнғироқ "1".wav' });
        expect((await readForm(server.requests[0]!)).files[0]!.name).to.match(/^қўнғироқ .*1.*\.wav$/);
      });
    });

    describe('answer', () => {
      it("has the transcript, turns, usage, the ID of the call and the provider's complete response", async () => {
        const { providerResponse, costUsd, ...answer } = await read();
        expect(costUsd).to.equal(undefined);
        const { duration, audio_duration_secs } = row.answer as Record<string, number | undefined>;
        const duration_s = duration ?? (audio_duration_secs && audio_duration_secs / channels) ?? row.durationS;
        expect(answer).to.deep.equal({
          transcript: { text: spoken, language: row.language, duration_s },
          turns: row.turns,
          usage: row.usage,
          providerRequestId: 'call-1',
        });
        expect(JSON.parse(JSON.stringify(providerResponse))).to.deep.include(JSON.parse(JSON.stringify(row.answer)));
      });

      it('without usage has the measured usage, or none', async () => {
        const { usage: _u, duration: _d, audio_duration_secs: _s, ...bare } = row.answer as Record<string, unknown>;
        const measured = await read(bare, { durationS: 60.5 });
        expect(measured.usage).to.deep.equal({ audio_seconds: 60.5 * channels });
        expect(measured.transcript.duration_s).to.equal(60.5);
        const unknown = await read(bare, { durationS: null });
        expect([unknown.usage, unknown.transcript.duration_s]).to.deep.equal([null, null]);
      });

      it('with implausible usage has the measured usage', async () => {
        for (const absurd of row.absurd) {
          const { usage, transcript } = await read({ ...row.answer, ...absurd });
          expect(usage, JSON.stringify(absurd)).to.deep.equal({ audio_seconds: (row.durationS ?? 0) * channels });
          expect(transcript.text).to.equal(spoken);
        }
      });

      it('without speech is an empty transcript without turns', async () => {
        const { transcript, turns } = await read(row.silence);
        expect([transcript.text, turns]).to.deep.equal(['', []]);
      });

      it('with invalid words or segments is one turn with its text', async () => {
        for (const oddity of ODDITIES) {
          const { turns } = await read({ ...row.answer, ...oddity });
          expect(turns).to.deep.equal(channelRoles ? row.turns : [{ role: 'speaker', text: TEXT }]);
        }
      });

      it('is stored without characters that PostgreSQL cannot store', async () => {
        const wire = JSON.stringify(row.answer).replaceAll('late', 'l\\u0000te \\ud83d');
        const { transcript, turns } = await read(wire);
        for (const text of [transcript.text, turns.at(-1)!.text]) expect(text).to.contain('l\uFFFDte \uFFFD');
        const spoiled = '"x\\u0000\\ud83d"';
        const named = await read(
          JSON.stringify(row.answer)
            .replaceAll(/"(language|language_code|speaker|speaker_id|transcription_id)":"[^"]*"/g, `"$1":${spoiled}`)
            .replaceAll(/"code":"[^"]*"/g, `"code":${spoiled}`),
        );
        const names = [named.transcript.language, named.providerRequestId, ...named.turns.map(({ role }) => role)];
        expect(names.join()).to.satisfy((text: string) => text.isWellFormed() && !text.includes('\0'));
      });
    });

    // These tests apply to all models of a provider.
    if (row !== STT_ROWS.find(({ provider }) => provider === name)) return;

    describeHttp({
      name,
      server,
      call,
      answer: row.answer,
      error: row.error,
      nonsense: NONSENSE,
      unread: 'incomplete',
      maxBytes: 64 * 1024 * 1024,
    });

    it('includes the ID of a failed call', async () => {
      server.behave(answerJson(500, row.error(500), { [row.requestIdHeader]: 'call-2' }));
      expect((await providerFailure(call(), name)).details).to.include({ providerRequestId: 'call-2' });
    });
  });
}

describe('The words of ElevenLabs without speakers', () => {
  const server = useFakeServer();

  it('are one turn, not one for each word', async () => {
    const words = ['Hello', ',', ' ', 'I', ' ', 'wait.'].map((text, index) => ({
      text,
      start: index,
      end: index + 1,
      type: 'word',
      speaker_id: index === 0 ? null : undefined,
    }));
    server.behave(answerJson(200, { text: 'Hello, I wait.', words, language_code: 'eng' }));
    const { turns } = await sttProvider('elevenlabs', { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());
    expect(turns).to.deep.equal([{ role: 'speaker', text: 'Hello, I wait.' }]);
  });
});
