import { ApplicationFailure } from '@temporalio/common';
import { loadedStt } from '../providers/stt-call.ts';
import { redactBeforeAnalysis, redactTranscript } from '../../../activities/sessions/redact.ts';
import type { StepInput } from '../../../contract/workflows.ts';
import { SessionModel } from '../../../db/models/session.ts';
import type { Recognizer } from '../../../redaction/recognizer.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { createOwner, createSession, says, VOICE } from '../../support/factories.ts';
import { redactionDeps } from '../../support/redaction.ts';
import { useFakeProvider } from '../providers/fake-provider.ts';
import { PROVIDERS } from '../providers/llm-providers.ts';
import { ledgerOf } from './analysis.ts';
import { analysisWith, runStep, transcriptionWith } from './steps.ts';

const CALLER = { payer: 'a', is_awaited: false };
const SECRET = 'My phone is 901234567.';
const REDACTION = { entities: ['phone'], originals: 'discard', keep_audio: false } as const;

describe('A step whose redaction fails', () => {
  const fake = useFakeProvider('openai');

  /** The thread has no rules for this region, and ends. */
  const broken = () => {
    const { redactor, secrets } = redactionDeps();
    return { redactor: { ...redactor, regions: ['XX' as never] }, secrets };
  };
  const newOwner = (fields: object = {}) =>
    createOwner({ redaction: { ...REDACTION, entities: ['phone'] }, llm_model: PROVIDERS.openai.model, ...fields });

  async function failureOf(session: SessionModel, activity: (input: StepInput) => Promise<unknown>) {
    const failure = await errorOf(runStep(session, activity));
    if (!(failure instanceof ApplicationFailure)) throw new Error('not an ApplicationFailure', { cause: failure });
    expect(failure).to.include({ type: 'internal', nonRetryable: true });
    expect(JSON.stringify([failure.message, failure.details])).not.to.include('901234567');
    return SessionModel.query().findById(session.id).throwIfNotFound();
  }

  it('calls no model with an older conversation', async () => {
    const session = await createSession((await newOwner()).assistant, { conversation: says(SECRET) });
    expect(await failureOf(session, analysisWith({ ...broken(), llm: fake.providers }))).to.include({
      redaction: null,
      summary_text: null,
    });
    expect([fake.requests, await ledgerOf(session)]).to.deep.equal([[], []]);
  });

  it('stores nothing of a transcript but what it cost', async () => {
    const { assistant } = await newOwner(VOICE);
    const session = await createVoiceSession(assistant, { conversation: null });
    const heard = {
      transcript: { text: SECRET, language: 'en', duration_s: 2 },
      turns: says(SECRET),
      usage: { audio_seconds: 2 },
      providerRequestId: null,
      providerResponse: { text: SECRET },
    };
    const stt = loadedStt({ whisper: { transcribe: () => Promise.resolve(heard) } });
    expect(await failureOf(session, transcriptionWith({ ...broken(), stt }))).to.include({
      conversation: null,
      transcript: null,
    });
    const [call] = await ledgerOf(session);
    expect(call).to.include({ status: 'succeeded', provider_response: null });
    expect(call?.cost_usd).to.be.above(0);
  });
});

describe('The language in which names are searched', () => {
  const run = async (language: string | null, stt_language: string, isStored: boolean) => {
    const asked: (string | null)[] = [];
    const { redactor, secrets } = redactionDeps();
    const recognizer: Recognizer = {
      recognize(_turns, _kinds, spoken) {
        asked.push(spoken);
        return Promise.resolve([]);
      },
    };
    const { assistant } = await createOwner({
      ...VOICE,
      stt_language,
      redaction: { ...REDACTION, entities: ['name'] },
    });
    const transcript = { text: 'Hello.', language, duration_s: 2 };
    const session = await createVoiceSession(assistant, { conversation: says('Hello.'), transcript });
    const deps = { redactor: { ...redactor, recognizer }, secrets };
    const { signal } = new AbortController();
    if (isStored) await redactBeforeAnalysis(deps, session, CALLER, signal);
    else await redactTranscript(deps, session, { transcript, turns: says('Hello.'), ...CALLER }, signal);
    return asked;
  };

  for (const [language, stt_language, expected] of [
    ['ru', 'Auto-Detect', 'ru'],
    [null, 'uz-Latn', 'uz'],
    [null, 'Auto-Detect', null],
  ] as const) {
    it(`is ${expected} for the transcript's ${language} and the assistant's ${stt_language}`, async () => {
      expect(await run(language, stt_language, false)).to.deep.equal([expected]);
      expect(await run(language, stt_language, true)).to.deep.equal([expected]);
    });
  }

  it("is converted from a stored provider's own word before a reanalysis", async () => {
    expect(await run('russian', 'Auto-Detect', true)).to.deep.equal(['ru']);
    expect(await run('uzb', 'Auto-Detect', true)).to.deep.equal(['uz']);
  });
});
