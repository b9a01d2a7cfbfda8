import { ActivityCancellationDetails, ApplicationFailure } from '@temporalio/common';
import { createBulkhead } from '../../../activities/bulkhead.ts';
import { errorOfCause, unreadableTranscript } from '../../../activities/providers/policy/provider-error.ts';
import type { ProviderJob } from '../../../activities/providers/policy/record-call.ts';
import { loadedStt } from '../providers/stt-call.ts';
import type { SttProvider } from '../../../activities/providers/stt/provider.ts';
import type { SttAnswer } from '../../../activities/providers/stt/provider.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { createVoiceSession, testAudioStore } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { createOwner, createSession, says, VOICE } from '../../support/factories.ts';
import { redactionDeps } from '../../support/redaction.ts';
import { createAssumePrice } from '../../../runtime/prices/prices.ts';
import { ledgerOf, UNLIMITED } from './analysis.ts';
import { analysisWith, newEnvironment, runStep as run, transcriptionWith } from './steps.ts';

const HEARD: SttAnswer = {
  transcript: { text: 'I am Ada.', language: 'en', duration_s: 2 },
  turns: says('I am Ada.'),
  usage: { audio_seconds: 2 },
  providerRequestId: null,
  providerResponse: {},
};

const transcription = (stt: Record<string, Pick<SttProvider, 'transcribe'>>, deps: object = {}) =>
  transcriptionWith({
    assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 1 }),
    retryWindowMs: 0,
    stt: loadedStt(stt),
    ...deps,
  });

describe('A reply that is no transcript', () => {
  const newSession = async () =>
    createVoiceSession((await createOwner({ ...VOICE })).assistant, { conversation: null });
  const unread = unreadableTranscript('whisper', { httpStatus: 200 });

  it('is requested again once', async () => {
    let calls = 0;
    const whisper = { transcribe: async () => (++calls === 1 ? Promise.reject(unread) : HEARD) };
    const session = await newSession();
    expect(await run(session, transcription({ whisper }))).to.deep.equal({ status: 'transcribed' });
    expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['failed', 'succeeded']);
  });

  it('fails the session the second time', async () => {
    const session = await newSession();
    const whisper = { transcribe: () => Promise.reject(unread) };
    expect(await errorOf(run(session, transcription({ whisper })))).to.include({
      type: 'incomplete',
      nonRetryable: true,
    });
    expect(await ledgerOf(session)).to.have.length(2);
  });
});

describe('A job that a fallback replaces', () => {
  const down = errorOfCause('outage', { provider: 'aisha', step: 'transcription' });
  const polled: (string | null)[] = [];
  const aisha = {
    async transcribe(_request: unknown, job: ProviderJob) {
      polled.push(job.id);
      if (job.id === null) await job.save('31');
      throw down;
    },
  };
  const fallback = { llm_provider: null, llm_model: null, stt_provider: 'whisper', stt_model: 'whisper-1' } as const;
  const newSession = async () =>
    createVoiceSession((await createOwner({ ...VOICE, stt_provider: 'aisha', stt_model: null, fallback })).assistant, {
      conversation: null,
    });
  const rowsOf = async (session: SessionModel) =>
    (await ledgerOf(session)).map(({ provider, status, provider_job_id }) => [provider, status, provider_job_id]);

  it('keeps its row and its estimate; the fallback has a row, a cost and a job of its own', async () => {
    const session = await newSession();
    const whisper = { transcribe: async () => HEARD };
    expect(await run(session, transcription({ aisha, whisper }))).to.deep.equal({ status: 'transcribed' });
    expect(await rowsOf(session)).to.deep.equal([
      ['aisha', 'lost', '31'],
      ['whisper', 'succeeded', null],
    ]);
    const [job, call] = await ledgerOf(session);
    expect(job?.reserved_usd).to.be.above(0);
    expect([job?.cost_usd, call!.cost_usd! > 0]).to.deep.equal([null, true]);
  });

  it('is polled by the next try if the fallback fails', async () => {
    const session = await newSession();
    const refused = errorOfCause('outage', { provider: 'whisper', step: 'transcription' }, { httpStatus: 503 });
    const whisper = { transcribe: () => Promise.reject(refused) };
    await errorOf(run(session, transcription({ aisha, whisper })));
    expect(await rowsOf(session)).to.deep.equal([
      ['aisha', 'running', '31'],
      ['whisper', 'failed', null],
    ]);
    polled.length = 0;
    const answers = { transcribe: async (_: unknown, job: ProviderJob) => (polled.push(job.id), HEARD) };
    expect(await run(session, transcription({ aisha: answers, whisper }))).to.deep.equal({ status: 'transcribed' });
    expect(polled).to.deep.equal(['31']);
    expect((await rowsOf(session))[0]).to.deep.equal(['aisha', 'succeeded', '31']);
  });
});

describe('A shutdown of the worker while names are recognized', () => {
  it('does not lose the transcript that was paid for', async () => {
    const redaction = { entities: ['name' as const], originals: 'discard' as const, keep_audio: false };
    const session = await createVoiceSession((await createOwner({ ...VOICE, redaction })).assistant, {
      conversation: null,
    });
    const environment = newEnvironment();
    let isPaid = false;
    const recognizer = {
      async recognize(_turns: unknown, _kinds: unknown, _language: unknown, signal: AbortSignal) {
        if (isPaid) environment.cancel('WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true }));
        signal.throwIfAborted();
        return [];
      },
    };
    const { redactor, secrets } = redactionDeps();
    const deps = { redactor: { ...redactor, recognizer }, secrets };
    const whisper = { transcribe: async () => ((isPaid = true), HEARD) };
    expect(await run(session, transcription({ whisper }, deps), environment)).to.deep.equal({ status: 'transcribed' });
    expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['succeeded']);
  });
});

describe('A large conversation without a place', () => {
  it('stays queued', async () => {
    const { assistant } = await createOwner();
    const session = await createSession(assistant, { conversation: says('a'.repeat(300_000)) });
    const largeConversations = createBulkhead(0, 'large conversations');
    const refusal = await errorOf(run(session, analysisWith({ largeConversations })));
    expect(refusal).to.be.instanceOf(ApplicationFailure).and.to.include({ type: 'no_slot' });
    expect((await SessionModel.query().findById(session.id))?.status).to.equal('queued');
  });
});

describe('A recording that the store delivers too late', () => {
  it("does not open the provider's circuit", async () => {
    const { bulkheads } = UNLIMITED;
    const session = await createVoiceSession((await createOwner(VOICE)).assistant, { conversation: null });
    const audio = {
      ...testAudioStore(),
      useFile: (_key: string, _use: unknown, signal: AbortSignal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    for (let i = 0; i < 5; i++) await errorOf(run(session, transcription({}, { bulkheads, audio, sttTimeoutMs: 10 })));
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
    expect(await ledgerOf(session)).to.deep.equal([]);
  });
});
