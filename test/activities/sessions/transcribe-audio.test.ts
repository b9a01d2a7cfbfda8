import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ApplicationFailure, CancelledFailure, ActivityCancellationDetails } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { expect } from 'chai';
import { createTranscribeAudio } from '../../../activities/sessions/transcribe-audio.ts';
import { createVendorSilence } from '../../../activities/sessions/vendor-silence.ts';
import { createSttProviders } from '../../../activities/vendors/stt/index.ts';
import { createAssumePrice, createPriceOf } from '../../../activities/vendors/pricing.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { createAudioStore } from '../../../runtime/audio/create-store.ts';
import { silentLog } from '../../support/log.ts';
import { testConfig } from '../../support/api.ts';
import { createAssistant, createUser } from '../../support/factories.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { ledgerOf } from './analysis.ts';

const newEnvironment = () => new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

/** A store that never answers, or never ends its answer. */
/** What only a session that waits for its vendor needs. */
const UNUSED = { client: undefined as never, log: silentLog };

describe('The transcription of a recording that the store does not hand over', () => {
  let store: Server;
  let isDripping: boolean;
  beforeEach(async () => {
    store = createServer((_request, response) => {
      if (!isDripping) return;
      response.writeHead(200, { 'Content-Length': 1_000_000 });
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  });
  afterEach(
    () =>
      new Promise((resolve) => {
        store.close(resolve);
        store.closeAllConnections();
      }),
  );

  async function transcribe(environment: MockActivityEnvironment, sttTimeoutMs: number) {
    const session = await createVoiceSession(
      await createAssistant((await createUser()).user.id, { type: 'voice', stt_provider: 'whisper' }),
    );
    const config = testConfig({
      ...{ AUDIO_STORE: 's3://calls', AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
      AUDIO_S3_ENDPOINT: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    });
    const activity = createTranscribeAudio({
      stt: createSttProviders(config),
      audio: createAudioStore(config.audio),
      priceOf: createPriceOf(),
      assumePrice: createAssumePrice({ perMtokUsd: 0, perAudioHourUsd: 0 }),
      budgets: { maxUsd: null, installationUsd: null },
      retryWindowMs: 600_000,
      maxSessionsInFlight: 50,
      silence: createVendorSilence(),
      sttTimeoutMs,
      ...UNUSED,
    });
    const running = environment.run<[{ session_id: string }], unknown, typeof activity>(activity, {
      session_id: session.id,
    });
    return { session, failed: failureOf(running) };
  }

  const failureOf = (running: Promise<unknown>): Promise<unknown> =>
    running.then(
      () => expect.fail('there is no recording'),
      (error: unknown) => error,
    );

  const expectNoCall = async (session: SessionModel) => expect(await ledgerOf(session)).to.deep.equal([]);

  for (const [name, drips] of [
    ['never answers', false],
    ['never ends', true],
  ] as const) {
    it(`can be canceled while the store ${name}`, async () => {
      isDripping = drips;
      const environment = newEnvironment();
      const { session, failed } = await transcribe(environment, 60_000);
      await once(store, 'request');
      environment.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }));
      expect(await failed).to.be.instanceOf(CancelledFailure);
      await expectNoCall(session);
    });
  }

  it('counts into the bound of the transcription, and is tried again', async () => {
    isDripping = true;
    const { session, failed } = await transcribe(newEnvironment(), 300);
    const failure = await failed;
    expect(failure).to.be.instanceOf(ApplicationFailure);
    expect(failure).to.include({ type: 'timeout', nonRetryable: false });
    await expectNoCall(session);
  });
});
