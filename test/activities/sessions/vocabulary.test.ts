import type { SttProviderName } from '../../../contract/values/constants.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { send } from '../../support/api.ts';
import { createOwner, createUser, VOICE } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { answerJson, useFakeServer } from '../providers/fake-provider.ts';
import { loadStt, readForm } from '../providers/stt-call.ts';
import { ledgerOf } from './analysis.ts';
import { runStep, transcriptionWith } from './steps.ts';

const TERMS = Array.from({ length: 40 }, (_, index) => `Northline ${index}`);
/** The first of them that have 224 bytes together. */
const FITTING = TERMS.slice(0, 16).join(', ');

describe('A vocabulary', () => {
  const server = useFakeServer();
  const service = useSharedService();

  /** Transcribes a recording of an hour. Returns the terms of each request, the stored session and its calls. */
  async function transcribe(provider: SttProviderName, model: string | null, vocabulary: string[] | null = TERMS) {
    const voice = { ...VOICE, stt_provider: provider, stt_model: model, vocabulary };
    const { assistant, token } = await createOwner(voice);
    const created = await createVoiceSession(assistant, { conversation: null });
    await created.$query().patch({ audio: { ...created.audio!, duration_s: provider === 'aisha' ? 60 : 3_600 } });
    const stt = { [provider]: () => loadStt(provider, { baseUrl: server.url }) } as never;
    await runStep(created, transcriptionWith({ stt, retryWindowMs: 0 }));
    const forms = await Promise.all(server.requests.map(readForm));
    const told = forms.map(({ fields }) => fields.filter(([name]) => /^(keyterms|keywords|prompt)/.test(name)));
    const session = (await send(service.api, 'getSession', { token, params: { id: created.id } })).body;
    return { told, session, calls: await ledgerOf(created) };
  }

  const HEARD = { text: 'Hello there', transcript: 'Hello there' };

  it('is told to ElevenLabs term by term, at a fifth more', async () => {
    server.behave(answerJson(200, HEARD));
    const { told, session, calls } = await transcribe('elevenlabs', 'scribe_v2');
    expect(told).to.deep.equal([TERMS.map((term) => ['keyterms', term])]);
    expect(session).to.include({ left_out: null }).and.not.have.property('vocabulary');
    server.behave(answerJson(200, HEARD));
    const [other] = (await transcribe('elevenlabs', 'scribe_v2', null)).calls;
    expect(calls[0]?.cost_usd).to.be.closeTo(1.2 * other!.cost_usd!, 1e-6);
    expect(calls[0]?.reserved_usd).to.be.closeTo(1.2 * other!.reserved_usd!, 1e-6);
  });

  it('is told in the order of the terms, as far as the model surely reads it, and the session counts the others', async () => {
    for (const [provider, model] of [
      ['whisper', 'whisper-1'],
      ['local', null],
    ] as const) {
      server.behave(answerJson(200, HEARD));
      const { told, session } = await transcribe(provider, model);
      expect(told).to.deep.equal([[['prompt', FITTING]]]);
      expect(Buffer.byteLength(FITTING)).to.be.within(224 - Buffer.byteLength(', Northline 16'), 224);
      expect(session.left_out).to.deep.equal([{ step: 'transcription', parameter: 'prompt', terms: 24 }]);
    }
  });

  it('is told as keywords where a model has them', async () => {
    server.behave(answerJson(200, HEARD));
    const { told, session } = await transcribe('whisper', 'gpt-transcribe');
    expect(told[0]?.map(([, term]) => term)).to.deep.equal(TERMS);
    expect(told[0]?.[0]?.[0]).to.match(/^keywords/);
    expect(session.left_out).to.equal(null);
  });

  it('is left out where the model takes none, and the session says so', async () => {
    for (const [provider, model] of [
      ['aisha', null],
      ['whisper', 'gpt-4o-transcribe-diarize'],
    ] as const) {
      server.behave(answerJson(200, HEARD));
      const { told, session } = await transcribe(provider, model);
      expect(told).to.deep.equal([[]]);
      expect(session.vocabulary).to.equal('not_supported');
    }
  });

  it('is left out and named if the server refuses it', async () => {
    const refusal = { detail: [{ loc: ['body', 'keyterms'], msg: 'Extra inputs', type: 'extra' }] };
    server.behave(answerJson(422, refusal), answerJson(200, HEARD));
    const { told, session, calls } = await transcribe('elevenlabs', 'scribe_v1');
    expect(told.map(({ length }) => length)).to.deep.equal([40, 0]);
    expect(session.left_out).to.deep.equal([{ step: 'transcription', parameter: 'keyterms' }]);
    expect(calls).to.have.length(2);
  });

  it('is validated, belongs to the version, and is absent from responses without one', async () => {
    const { token } = await createUser();
    const body = { name: 'Calls', type: 'voice', llm_provider: 'openai', system_prompt: 'Summarize.' };
    const create = (fields: object) => send(service.api, 'createAssistant', { token, body: { ...body, ...fields } });
    const limit = Array.from({ length: 100 }, (_, index) => `${index} b c d ${'e'.repeat(41)}`.slice(0, 50));
    for (const [vocabulary, path] of [
      [[''], 'vocabulary.0'],
      [['a', 'A'], 'vocabulary'],
      [['a\u0007b'], 'vocabulary.0'],
      [['a\nb'], 'vocabulary.0'],
      [[' a'], 'vocabulary.0'],
      [['a b c d e f'], 'vocabulary.0'],
      [['x'.repeat(51)], 'vocabulary.0'],
      [[...limit, 'more'], 'vocabulary'],
    ] as const) {
      const { status, problem } = await create({ vocabulary });
      expect([status, problem.errors?.[0]?.path], vocabulary[0]).to.deep.equal([422, path]);
    }
    expect((await create({ type: 'text', vocabulary: ['a'] })).status).to.equal(422);
    const { id, version } = (await create({ vocabulary: limit })).body;
    const params = { id };
    expect((await send(service.api, 'getAssistant', { token, params })).body.vocabulary).to.deep.equal(limit);
    const changed = (await send(service.api, 'updateAssistant', { token, params, body: { vocabulary: null } })).body;
    expect(changed)
      .to.include({ version: version + 1 })
      .and.not.have.property('vocabulary');
    expect(await AssistantModel.query().findById(id)).to.include({ vocabulary: null });
  });
});
