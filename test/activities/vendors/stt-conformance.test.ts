import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { SttAnswer, SttRequest } from '../../../activities/vendors/stt/provider.ts';
import type { VendorError } from '../../../activities/vendors/vendor-error.ts';
import type { VendorFault } from '../../../contract/constants.ts';
import { eventually } from '../../support/eventually.ts';
import { describeCancellation } from './describe-cancellation.ts';
import { answerJson, closedPort, startFakeServer } from './fake-vendor.ts';
import type { FakeServer, VendorBehaviour } from './fake-vendor.ts';
import { AUDIO, memoryJob, readForm, sttFailure, sttProvider, sttRequest } from './stt-call.ts';
import { STT_ROWS, TEXT } from './stt-vendors.ts';
import type { SttRow } from './stt-vendors.ts';

const CAP_BYTES = 64 * 1024 * 1024;

const FAULT_OF_STATUS: Record<number, VendorFault> = {
  400: 'bad_input',
  401: 'auth',
  402: 'quota_exceeded',
  403: 'auth',
  404: 'bad_input',
  408: 'unavailable',
  413: 'too_large',
  422: 'bad_input',
  425: 'unavailable',
  429: 'rate_limited',
  500: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
  529: 'unavailable',
};

const NONSENSE = [
  ['empty', ''],
  ['HTML', '<html>hello</html>'],
  ['cut off', '{"text":"Good mor'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"hello"'],
  ['an object of nothing', '{}'],
  ['a transcript that is no text', '{"text":42,"transcript":42}'],
] as const;

/** What the vendor may add without a word having changed. */
const ODDITIES = [
  { words: null, segments: null, diarization: null },
  { words: 'many', segments: 7, diarization: {} },
  { words: [null], segments: [{ text: 42 }], diarization: [7] },
];

for (const row of STT_ROWS) {
  const { provider: name, model, channelRoles = null } = row;
  const channels = channelRoles?.length ?? 1;
  /** Channels are brought together turn by turn. */
  const spoken = channelRoles ? row.turns.map(({ text }) => text).join('\n') : TEXT;
  const kind = `${model ?? 'no model'}${channelRoles ? ', its channels apart' : ''}`;

  describe(`The speech-to-text vendor ${name} (${kind})`, () => {
    let server: FakeServer;
    before(async () => {
      server = await startFakeServer();
    });
    after(() => server.stop());

    const providerAt = (url: string, timeoutMs?: number) =>
      sttProvider(name, { baseUrl: url + row.basePath, ...(timeoutMs !== undefined && { timeoutMs }) });

    const ask = (fields: Partial<SttRequest> = {}, timeoutMs?: number): Promise<SttAnswer> => {
      const { durationS } = row;
      const request = sttRequest({ model, durationS, channelRoles, ...fields });
      return providerAt(server.url, timeoutMs).transcribe(request, memoryJob());
    };

    const failure = (timeoutMs?: number): Promise<VendorError> => sttFailure(ask({}, timeoutMs), name);

    const answerWell = (body: object = row.answer): VendorBehaviour =>
      answerJson(200, body, { [row.requestIdHeader]: 'call-1' });

    describe('request', () => {
      for (const [language, code] of [
        ['Auto-Detect', undefined],
        ['uz', 'uz'],
        ['uz-Latn-UZ', 'uz'],
        ['uzb', 'uz'],
        ['RU', 'ru'],
      ] as const) {
        it(`§2.3 is one POST of the file, and of the language ${language} as the vendor wants it`, async () => {
          server.behave(answerWell());
          await ask({ language });
          expect(server.requests).to.have.length(1);
          const [request] = server.requests;
          const form = await readForm(request!);
          expect([request!.method, request!.path]).to.deep.equal(['POST', row.path]);
          expect(request!.headers[row.auth[0]]).to.equal(row.auth[1]);
          expect(form.fields).to.have.deep.members(row.fields(code));
          const [{ bytes, ...file }, ...others] = form.files as [(typeof form.files)[number]];
          expect(file).to.deep.equal({ field: row.fileField, name: 'call.wav', type: 'audio/wav' });
          expect(bytes.equals(AUDIO)).to.equal(true);
          expect(others).to.have.length(0);
        });
      }

      it('says its length, and shows the key nowhere but in its own header', async () => {
        server.behave(answerWell());
        await ask();
        const { path, headers, body } = server.requests[0]!;
        const { [row.auth[0]]: _key, ...others } = headers;
        expect(Number(headers['content-length'])).to.equal(body.length);
        expect(JSON.stringify([path, others, body.toString('latin1')])).not.to.contain('test-key');
      });

      it('keeps a file name that is not ASCII', async () => {
        server.behave(answerWell());
        await ask({ fileName: 'қўнғироқ "1".wav' });
        expect((await readForm(server.requests[0]!)).files[0]!.name).to.match(/^қўнғироқ .*1.*\.wav$/);
      });
    });

    describe('answer', () => {
      it('gives transcript, turns, usage, the id of the call and the whole response of the vendor', async () => {
        server.behave(answerWell());
        const { vendorResponse, ...answer } = await ask();
        const { duration, audio_duration_secs } = row.answer as Record<string, number | undefined>;
        expect(answer).to.deep.equal({
          transcript: {
            text: spoken,
            language: row.language,
            duration_s: duration ?? (audio_duration_secs && audio_duration_secs / channels) ?? row.durationS,
          },
          turns: row.turns,
          usage: row.usage,
          vendorRequestId: 'call-1',
        });
        expect(JSON.parse(JSON.stringify(vendorResponse))).to.deep.include(JSON.parse(JSON.stringify(row.answer)));
      });

      it('without usage has what was measured, or none', async () => {
        const { usage: _u, duration: _d, audio_duration_secs: _s, ...bare } = row.answer as Record<string, unknown>;
        server.behave(answerWell(bare));
        const measured = await ask({ durationS: 60.5 });
        expect(measured.usage).to.deep.equal({ audio_seconds: 60.5 * channels });
        expect(measured.transcript.duration_s).to.equal(60.5);
        const unknown = await ask({ durationS: null });
        expect(unknown.usage).to.equal(null);
        expect(unknown.transcript.duration_s).to.equal(null);
      });

      for (const absurd of row.absurd) {
        it(`with ${JSON.stringify(absurd)} has the usage that was measured`, async () => {
          server.behave(answerWell({ ...row.answer, ...absurd }));
          const { usage, transcript } = await ask();
          expect(usage).to.deep.equal({ audio_seconds: (row.durationS ?? 0) * channels });
          expect(transcript.text).to.equal(spoken);
        });
      }

      it('with nothing said is an empty transcript without turns', async () => {
        server.behave(answerWell(row.silence));
        const { transcript, turns } = await ask();
        expect(transcript.text).to.equal('');
        expect(turns).to.deep.equal([]);
      });

      it('with oddities instead of words or segments is one turn of its text', async () => {
        for (const oddity of ODDITIES) {
          server.behave(answerWell({ ...row.answer, ...oddity }));
          expect((await ask()).turns).to.deep.equal(channelRoles ? row.turns : [{ role: 'speaker', text: TEXT }]);
        }
      });

      it('with NUL and half characters is made fit to store', async () => {
        const spoiled = JSON.stringify(row.answer).replaceAll('late', 'l\\u0000te \\ud83d');
        server.behave(answerJson(200, spoiled));
        const { transcript, turns } = await ask();
        expect(transcript.text).to.contain('l\uFFFDte \uFFFD');
        expect(turns.at(-1)!.text).to.contain('l\uFFFDte \uFFFD');
      });

      it('with names that no database stores is made fit to store', async () => {
        const spoilt = '"x\\u0000\\ud83d"';
        const answer = JSON.stringify(row.answer)
          .replaceAll(/"(language|language_code|speaker|speaker_id|transcription_id)":"[^"]*"/g, `"$1":${spoilt}`)
          .replaceAll(/"code":"[^"]*"/g, `"code":${spoilt}`);
        server.behave(answerJson(200, answer));
        const { transcript, turns, vendorRequestId } = await ask();
        const names = [transcript.language, vendorRequestId, ...turns.map(({ role }) => role)].join();
        expect(names).to.satisfy((text: string) => text.isWellFormed() && !text.includes('\0'));
      });

      for (const [title, body] of NONSENSE) {
        it(`that is ${title} is the vendor's fault, to be tried again`, async () => {
          server.behave(answerJson(200, body));
          expect((await failure()).fault).to.equal('unavailable');
          expect(server.requests).to.have.length(1);
        });
      }
    });

    // Faults are the same for all models of a vendor.
    if (row !== STT_ROWS.find(({ provider }) => provider === name)) return;

    describe('error', () => {
      for (const [status, fault] of Object.entries(FAULT_OF_STATUS)) {
        it(`HTTP ${status} is ${fault}, after one call`, async () => {
          server.behave(answerJson(Number(status), row.error(Number(status)), { [row.requestIdHeader]: 'call-2' }));
          const error = await failure();
          expect(error.fault).to.equal(fault);
          expect(error.details).to.include({ httpStatus: Number(status), vendorRequestId: 'call-2' });
          expect(error.details.retryAfterMs).to.equal(undefined);
          expect(server.requests).to.have.length(1);
        });
      }

      it('is still told from its status when its body is nonsense', async () => {
        for (const body of ['', '<html>', 'null', '[]', '"no"', '{"error":null,"detail":null}', '{"detail":[7]}']) {
          server.behave(answerJson(429, body));
          const error = await failure();
          expect([error.fault, error.details.httpStatus], body).to.deep.equal(['rate_limited', 429]);
        }
      });

      for (const status of [429, 503]) {
        it(`HTTP ${status} with Retry-After gives the wait, and is not repeated`, async () => {
          server.behave(answerJson(status, row.error(status), { 'Retry-After': '7', 'x-should-retry': 'true' }));
          expect((await failure()).details.retryAfterMs).to.equal(7_000);
          expect(server.requests).to.have.length(1);
        });
      }

      it('a redirect is not followed: the key would go along', async () => {
        server.behave((response) => response.writeHead(307, { Location: '/elsewhere' }).end());
        expect((await failure()).fault).to.equal('unavailable');
        expect(server.requests).to.have.length(1);
      });
    });

    describe('connection', () => {
      it('with no answer within the time-out is a time-out', async () => {
        server.behave(() => undefined);
        expect((await failure(200)).fault).to.equal('timeout');
        expect(server.requests).to.have.length(1);
      });

      it('whose body hangs after its headers is a time-out, and its socket is closed', async () => {
        let sent: ServerResponse | undefined;
        server.behave((response) => {
          sent = response;
          response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
        });
        expect((await failure(200)).fault).to.equal('timeout');
        await eventually(() => sent?.destroyed === true, Boolean);
      });

      it('that is refused is unavailable', async () => {
        const provider = providerAt(`http://127.0.0.1:${await closedPort()}`);
        const error = await sttFailure(provider.transcribe(sttRequest({ model }), memoryJob()), name);
        expect([error.fault, error.details.httpStatus ?? null]).to.deep.equal(['unavailable', null]);
      });

      it('that is reset before or in the middle of the answer is unavailable', async () => {
        server.behave((response) => response.socket?.resetAndDestroy());
        expect((await failure()).fault).to.equal('unavailable');
        server.behave((response) => {
          response.writeHead(200, { 'Content-Length': '1000', 'Content-Type': 'application/json' });
          response.write('{', () => response.socket?.resetAndDestroy());
        });
        expect((await failure()).fault).to.equal('unavailable');
        expect(server.requests).to.have.length(1);
      });

      it('that gives more than 64 MiB after decompression is given up', async () => {
        const bomb = gzipSync(JSON.stringify(row.answer) + ' '.repeat(CAP_BYTES), { level: 1 });
        server.behave((response) => {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb);
        });
        const error = await failure();
        expect(error.message).to.equal(`${name} sent an answer that could not be read`);
      });
    });

    describeCancellation({ server: () => server, ask, answersWell: answerWell() });
  });
}

describe('A speech-to-text vendor', () => {
  /** Errors that are known by more than their status, and some that must not be taken for those. */
  const CASES: { provider: SttRow['provider']; status: number; body: unknown; fault: VendorFault }[] = [
    {
      provider: 'elevenlabs',
      status: 400,
      body: { detail: { status: 'quota_exceeded', message: 'no' } },
      fault: 'quota_exceeded',
    },
    {
      provider: 'elevenlabs',
      status: 401,
      body: { detail: { status: 'quota_exceeded', message: 'no' } },
      fault: 'quota_exceeded',
    },
    {
      provider: 'elevenlabs',
      status: 429,
      body: { detail: { status: 'system_busy', message: 'no' } },
      fault: 'rate_limited',
    },
    { provider: 'elevenlabs', status: 422, body: { detail: [{ loc: [], msg: 'no', type: 'x' }] }, fault: 'bad_input' },
    {
      provider: 'whisper',
      status: 429,
      body: { error: { message: 'no', code: 'insufficient_quota' } },
      fault: 'quota_exceeded',
    },
    {
      provider: 'whisper',
      status: 400,
      body: { error: { message: 'audio duration 1500 seconds is longer than 1400 seconds', code: 'invalid_value' } },
      fault: 'too_large',
    },
    { provider: 'aisha', status: 403, body: { detail: 'Invalid key' }, fault: 'auth' },
    { provider: 'aisha', status: 402, body: { detail: 'No balance' }, fault: 'quota_exceeded' },
  ];
  for (const { provider, status, body, fault } of CASES) {
    it(`${provider} that answers ${status} ${JSON.stringify(body)} is ${fault}`, async () => {
      const server = await startFakeServer();
      try {
        server.behave(answerJson(status, body));
        const call = sttProvider(provider, { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());
        expect((await sttFailure(call, provider)).fault).to.equal(fault);
      } finally {
        await server.stop();
      }
    });
  }
});
