import { ApplicationFailure } from '@temporalio/common';
import { createOutboundSlots } from '../../../activities/outbound-slots.ts';
import { createFetchAudio, type FetchAudioDeps, type FetchOutcome } from '../../../activities/sessions/fetch-audio.ts';
import type { SessionError } from '../../../contract/errors/session-error.ts';
import { AudioSourceModel, newAudioSource } from '../../../db/models/audio-source.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { DownloadError } from '../../../runtime/outbound/audio-download.ts';
import { createSecretBox } from '../../../runtime/secrets/secrets.ts';
import { fixture, hasRecording, testAudioStore } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { createOwner, createSession, VOICE } from '../../support/factories.ts';
import { runStep } from './steps.ts';

const SECONDS = 1_000;
const URL_OF_CALL = 'https://calls.example.com/call.mp3';

describe('fetchAudio', () => {
  const secrets = createSecretBox([Buffer.alloc(32, 7)]);
  const tone = fixture('tone.mp3');

  async function* read(file: Buffer) {
    yield file;
  }

  const returning =
    (file: Buffer): FetchAudioDeps['startDownload'] =>
    async () => ({ bytesTotal: file.length, isPage: false, body: read(file), close: () => undefined });

  const failing =
    (...given: ConstructorParameters<typeof DownloadError>): FetchAudioDeps['startDownload'] =>
    () =>
      Promise.reject(new DownloadError(...given));

  /** @param state of the download before this attempt. */
  async function newSession(state: { attempts?: number; failing_since?: string } = {}) {
    const { assistant } = await createOwner(VOICE);
    const audio_source = { ...newAudioSource(URL_OF_CALL, 'call'), ...state };
    const session = await createSession(assistant, { status: 'fetching', audio_source });
    const sealed = secrets.seal(JSON.stringify({ url: URL_OF_CALL, headers: {} }), session.id);
    await AudioSourceModel.query().insert({ id: session.id, sealed });
    return session;
  }

  function run(session: SessionModel, deps: Partial<FetchAudioDeps> = {}): Promise<FetchOutcome> {
    const fetchAudio = createFetchAudio({
      startDownload: returning(tone),
      audio: testAudioStore(),
      diskRoom: { take: async () => () => undefined, isFull: async () => false },
      secrets,
      slots: createOutboundSlots(20, 0.2),
      maxBytes: 1_000_000,
      maxStoredBytes: Infinity,
      retryWindowMs: 3_600 * SECONDS,
      ...deps,
    });
    return runStep(session, fetchAudio);
  }

  const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
  const status = (code: number, retries: 'never' | 'briefly' | 'yes', retryAfterMs = 0) =>
    failing('http_status', ['fetch_status', { status: code }], { statusCode: code, retries, retryAfterMs });

  const cases: [string, Parameters<typeof newSession>[0], FetchAudioDeps['startDownload'], number | string][] = [
    ['the first failure', {}, status(503, 'yes'), 2 * SECONDS],
    ['the third failure', { attempts: 2, failing_since: ago(6 * SECONDS) }, status(503, 'yes'), 8 * SECONDS],
    [
      'the twentieth failure',
      { attempts: 19, failing_since: ago(60 * SECONDS) },
      failing('dns', ['fetch_no_address']),
      300 * SECONDS,
    ],
    ['a longer Retry-After', {}, status(429, 'yes', 90 * SECONDS), 90 * SECONDS],
    [
      'a failure after an hour',
      { attempts: 9, failing_since: ago(3_590 * SECONDS) },
      failing('connect', ['unreachable']),
      'audio_unreachable',
    ],
    ['a Retry-After beyond the window', {}, status(503, 'yes', 4_000 * SECONDS), 'audio_unreachable'],
    [
      'a recording that is not there yet',
      { attempts: 4, failing_since: ago(500 * SECONDS) },
      status(404, 'briefly'),
      32 * SECONDS,
    ],
    [
      'a recording that is not there after 10 min',
      { attempts: 4, failing_since: ago(590 * SECONDS) },
      status(404, 'briefly'),
      'audio_unreachable',
    ],
    ['a final status', {}, status(403, 'never'), 'audio_unreachable'],
    [
      'an address that is not allowed',
      {},
      failing('blocked_address', ['fetch_blocked'], { retries: 'never' }),
      'audio_rejected',
    ],
    ['no recording', {}, returning(Buffer.from('no recording')), 'audio_rejected'],
    ['an empty file', {}, returning(Buffer.alloc(0)), 'audio_rejected'],
  ];
  for (const [what, state, startDownload, expected] of cases) {
    it(`${typeof expected === 'number' ? `is repeated after ${expected / SECONDS} s` : `fails as ${expected}`} for ${what}`, async () => {
      const session = await newSession(state);
      const failure = (await errorOf(run(session, { startDownload }))) as ApplicationFailure;
      expect(failure).to.be.instanceOf(ApplicationFailure);
      const { nonRetryable, nextRetryDelay, details } = failure;
      const outcome = nonRetryable ? (details?.[0] as SessionError).code : nextRetryDelay;
      expect(outcome).to.equal(expected);
      const { audio_source } = await SessionModel.query().findById(session.id).throwIfNotFound();
      expect(audio_source?.last_failure).to.equal(failure.type);
      expect(typeof audio_source?.next_attempt_at).to.equal(typeof expected === 'number' ? 'string' : 'object');
    });
  }

  it('stores the recording and queues the session, once', async () => {
    const session = await newSession();
    expect(await run(session)).to.deep.equal({ status: 'fetched' });
    const row = await SessionModel.query().findById(session.id).throwIfNotFound();
    expect(row).to.include({ status: 'queued' });
    expect(row.audio).to.include({ bytes: tone.length, file_name: 'call.mp3' });
    expect(await hasRecording(session.id)).to.equal(true);
    expect(await run(session, { startDownload: failing('connect', ['unreachable']) })).to.deep.equal({
      status: 'fetched',
    });
  });

  it('stores nothing beyond the quota, without room on the disk, or after the end of the session', async () => {
    const full = await newSession();
    const failure = (await errorOf(run(full, { maxStoredBytes: tone.length - 1 }))) as ApplicationFailure;
    expect(failure.message).to.contain('storage limit');
    expect(failure.details?.[0]).to.include({ code: 'audio_unreachable', retryable: true });
    expect(await errorOf(run(full, { maxStoredBytes: -1 })))
      .to.have.property('message')
      .that.contains('storage limit');
    const waiting = await newSession();
    const diskRoom = { take: async () => undefined, isFull: async () => true };
    expect(await errorOf(run(waiting, { diskRoom }))).to.include({ type: 'no_room', nonRetryable: false });
    const canceled = await newSession();
    const startDownload: FetchAudioDeps['startDownload'] = async (request) => {
      await SessionModel.query()
        .findById(canceled.id)
        .patch({ status: 'canceled', completed_at: new Date(Date.now()) });
      return returning(tone)(request);
    };
    expect(await run(canceled, { startDownload })).to.deep.equal({ status: 'canceled' });
    for (const { id } of [full, waiting, canceled]) expect(await hasRecording(id)).to.equal(false);
    await SessionModel.query().deleteById(waiting.id);
    expect(await run(waiting)).to.deep.equal({ status: 'gone' });
  });

  it('leaves slots of the worker to other hosts', async () => {
    const slots = createOutboundSlots(20, 0.2);
    for (let index = 0; index < 4; index++) slots.claim({ hostname: 'a.example.com', payer: `owner ${index}` });
    expect(await errorOf(run(await newSession(), { slots }))).to.include({ type: 'no_slot', nonRetryable: false });
  });
});
