import { EventEmitter, once } from 'node:events';
import { ApplicationFailure, CancelledFailure, ActivityCancellationDetails } from '@temporalio/common';
import { findFallback } from '../../../contract/sessions/fallback.ts';
import { createSttProviders } from '../../../activities/providers/stt/index.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { createAudioStore } from '../../../runtime/audio/create-store.ts';
import { testConfig } from '../../support/api.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { startReceiver } from '../../support/receiver.ts';
import { useStarted } from '../../support/use-started.ts';
import { errorOf } from '../../support/error-of.ts';
import { ledgerOf } from './analysis.ts';
import { newEnvironment, runStep, transcriptionWith } from './steps.ts';

describe('The transcription of a recording that the store does not deliver', () => {
  let isDripping: boolean;
  const asked = new EventEmitter();
  const store = useStarted(() =>
    startReceiver((response) => {
      asked.emit('request');
      if (!isDripping) return;
      response.writeHead(200, { 'Content-Length': 1_000_000 });
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    }),
  );

  async function transcribe(environment: ReturnType<typeof newEnvironment>, sttTimeoutMs: number) {
    const session = await createVoiceSession((await createOwner({ type: 'voice', stt_provider: 'whisper' })).assistant);
    const config = testConfig({ AUDIO_STORE: 's3://calls', AUDIO_S3_ENDPOINT: store.url });
    const audio = createAudioStore(config.audio);
    const activity = transcriptionWith({ stt: createSttProviders(config), audio, sttTimeoutMs });
    return { session, failed: errorOf(runStep(session, activity, environment)) };
  }

  const expectNoCall = async (session: SessionModel) => expect(await ledgerOf(session)).to.deep.equal([]);

  for (const [name, drips] of [
    ['never answers', false],
    ['never ends', true],
  ] as const) {
    it(`can be canceled while the store ${name}`, async () => {
      isDripping = drips;
      const environment = newEnvironment();
      const request = once(asked, 'request');
      const { session, failed } = await transcribe(environment, 60_000);
      await request;
      environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
      expect(await failed).to.be.instanceOf(CancelledFailure);
      await expectNoCall(session);
    });
  }

  it('ends at the timeout of the transcription, and is retried', async () => {
    isDripping = true;
    const { session, failed } = await transcribe(newEnvironment(), 300);
    const failure = await failed;
    expect(failure).to.be.instanceOf(ApplicationFailure);
    expect(failure).to.include({ type: 'timeout', nonRetryable: false });
    await expectNoCall(session);
  });
});

describe('The fallback of a transcription', () => {
  it('is used only for media types that it accepts', async () => {
    const { assistant } = await createOwner({
      type: 'voice',
      stt_provider: 'elevenlabs',
      stt_model: 'scribe_v2',
      stt_language: 'Auto-Detect',
      fallback: { llm_provider: null, llm_model: null, stt_provider: 'whisper', stt_model: 'whisper-1' },
    });
    const providerFor = async (media_type: string) => {
      const audio = { key: 'k', file_name: 'call', media_type, bytes: 1_000, sha256: '', duration_s: 60 };
      return findFallback(assistant.fallback, (await createSession(assistant, { audio })).audio, 'transcription')
        ?.provider;
    };
    expect(await providerFor('audio/mp4')).to.equal('whisper');
    expect(await providerFor('audio/aac')).to.equal(undefined);
  });
});
