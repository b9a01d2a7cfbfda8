import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { failureOf, type UnnamedFailure } from '../../contract/errors/failures.ts';
import { isSignature } from '../../contract/sessions/signed-url.ts';
import type { FetchFailure } from '../../contract/sessions/audio-source.ts';
import { FINAL_SESSION_STATUSES, type SessionStatus } from '../../contract/values/constants.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import type { Caller, StepInput } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { sumAudioBytes } from '../../db/queries/owner-limits.ts';
import {
  beginFetch,
  findFetch,
  storeFailure,
  storeFetched,
  storeProgress,
  type BegunFetch,
  type Fetch,
} from '../../db/queries/audio-fetches.ts';
import { checkAudio, sizeLimitOf } from '../../runtime/audio/check-audio.ts';
import type { DiskRoom } from '../../runtime/audio/disk-room.ts';
import { inspectAudio } from '../../runtime/audio/inspect-audio.ts';
import { AudioStoreError, type AudioStore, type StagedAudio } from '../../runtime/audio/store.ts';
import { UnfitAudioError } from '../../runtime/audio/unfit-audio.ts';
import { DownloadError, type AudioDownload, type StartDownload } from '../../runtime/outbound/audio-download.ts';
import type { SecretBox } from '../../runtime/secrets/secrets.ts';
import { HEARTBEAT_MS, withHeartbeat } from '../heartbeat.ts';
import { busy, type OutboundSlots } from '../outbound-slots.ts';
import { interruption } from './run-step.ts';

export interface FetchAudioDeps {
  startDownload: StartDownload;
  audio: AudioStore;
  diskRoom: DiskRoom;
  secrets: SecretBox;
  slots: OutboundSlots;
  /** Largest recording. */
  maxBytes: number;
  /** Bytes of recordings that the workspaces of an owner may store. */
  maxStoredBytes: number;
  /** How long a failing download is retried. */
  retryWindowMs: number;
}

export interface FetchOutcome {
  /** `fetched` if the transcription can begin; otherwise the session has ended, or is `gone`. */
  status: 'fetched' | SessionStatus | 'gone';
}

const MAX_DOWNLOAD_MS = 3_600_000;

/** How long a recording may be announced before it can be downloaded. */
const NOT_YET_WINDOW_MS = 600_000;

const MAX_DELAY_MS = 300_000;

/** Longest wait of a link that may expire for a slot, in seconds. */
const MAX_BUSY_LINK_S = 8;

/** Failures that the same URL would cause again. */
const REJECTIONS: readonly FetchFailure[] = ['too_large', 'not_audio', 'blocked_address'];

/** What `audio_sources` stores, sealed. */
interface Source {
  url: string;
  headers: Record<string, string>;
}

/**
 * Returns the activity that makes one attempt to download a recording. Errors and rows contain the host of its URL, and no
 * more of it.
 */
export function createFetchAudio(deps: FetchAudioDeps) {
  return async function fetchAudio({ session_id: id, caller: { payer } }: StepInput): Promise<FetchOutcome> {
    const found = await findFetch(id);
    if (!found) return { status: await statusOf(id) };
    const { session, sealed } = found;
    const { host } = session.audio_source;
    const plain = sealed === null ? undefined : deps.secrets.open(sealed, id);
    if (plain === undefined) throw finalFailure(host, UNREADABLE);
    const source = JSON.parse(plain) as Source;
    const { hostname, searchParams } = new URL(source.url);
    // The others can wait longer.
    const expires = [...searchParams.keys()].some(isSignature);
    const release = deps.slots.claim({ hostname, payer });
    if (typeof release === 'string') throw busy(release, host, 'downloads', expires ? MAX_BUSY_LINK_S : undefined);
    try {
      const begun = await beginFetch(id);
      return begun
        ? await withHeartbeat(() => tryOnce(deps, { ...session, payer }, source, begun))
        : { status: await statusOf(id) };
    } finally {
      release();
    }
  };
}

const UNREADABLE = new DownloadError('connect', ['fetch_url_locked']);

const TOO_SLOW = new DownloadError('timeout', ['fetch_too_slow']);

const STORE_DOWN = new DownloadError('no_room', ['fetch_not_stored']);

type FetchedSession = Fetch['session'] & Pick<Caller, 'payer'>;

/** Makes the attempt. Throws a failure with which Temporal retries it later, or not at all. */
async function tryOnce(
  deps: FetchAudioDeps,
  session: FetchedSession,
  source: Source,
  begun: BegunFetch,
): Promise<FetchOutcome> {
  const { id, audio_source } = session;
  const context = Context.current();
  const started = performance.now();
  const deadline = AbortSignal.timeout(MAX_DOWNLOAD_MS);
  const ended = new AbortController();
  const signal = AbortSignal.any([context.cancellationSignal, deadline, ended.signal]);
  const progress: Progress = { received: 0, total: null };
  const timer = setInterval(() => {
    // If the database is down, the next report follows.
    storeProgress(id, progress.received, progress.total).then(
      (isFetched) => void (isFetched || ended.abort()),
      () => undefined,
    );
  }, HEARTBEAT_MS);
  try {
    await fetchAndStore(deps, session, { source, signal, progress });
    return { status: await statusOf(id) };
  } catch (error) {
    if (context.cancellationSignal.aborted) throw interruption(context);
    if (ended.signal.aborted) return { status: await statusOf(id) };
    const failed = deadline.aborted ? TOO_SLOW : error instanceof AudioStoreError ? STORE_DOWN : error;
    if (!(failed instanceof DownloadError)) throw error;
    if (failed === STORE_DOWN) context.log.warn('could not store a downloaded recording', { err: error });
    const { failure, statusCode } = failed;
    const failingMs = begun.failingMs && begun.failingMs + performance.now() - started;
    const delayMs = planRetry(failed, { attempt: begun.attempt, failingMs }, deps.retryWindowMs);
    await storeFailure(id, { failure, statusCode, delayMs });
    if (delayMs === null) throw finalFailure(audio_source.host, failed);
    const { message } = failureOf(audio_source.host, ...failed.why);
    throw ApplicationFailure.create({ type: failure, message, nextRetryDelay: delayMs });
  } finally {
    clearInterval(timer);
  }
}

/** Returns the milliseconds until the next attempt; null: there is none. */
function planRetry({ retries, retryAfterMs }: DownloadError, { attempt, failingMs }: BegunFetch, windowMs: number) {
  const delayMs = Math.round(Math.max(Math.min(2_000 * 2 ** (attempt - 1), MAX_DELAY_MS), retryAfterMs));
  const limitMs = retries === 'briefly' ? Math.min(NOT_YET_WINDOW_MS, windowMs) : windowMs;
  return retries === 'never' || failingMs + delayMs > limitMs ? null : delayMs;
}

function finalFailure(host: string, { failure, why }: DownloadError): ApplicationFailure {
  const isRejected = REJECTIONS.includes(failure);
  const code = isRejected ? 'audio_rejected' : 'audio_unreachable';
  const error: SessionError = {
    code,
    stage: 'fetch',
    provider: null,
    ...failureOf(host, ...why),
    retryable: !isRejected,
  };
  return ApplicationFailure.nonRetryable(error.message, failure, error);
}

interface Progress {
  received: number;
  /** null: unknown. */
  total: number | null;
}

interface Fetching {
  source: Source;
  signal: AbortSignal;
  progress: Progress;
}

const QUOTA = new DownloadError('no_room', ['fetch_over_limit'], { retries: 'never' });

/** Downloads, checks and stores the recording, and queues the session. Throws `DownloadError`. */
async function fetchAndStore(deps: FetchAudioDeps, session: FetchedSession, fetching: Fetching): Promise<void> {
  const { id, workspace_id, payer, assistant: settings, audio_source } = session;
  const { signal } = fetching;
  const room = deps.maxStoredBytes - (await sumAudioBytes(workspace_id));
  if (room <= 0) throw QUOTA;
  const size = sizeLimitOf(settings, deps.maxBytes);
  const limit = size.max;
  try {
    const download = await deps.startDownload({ ...fetching.source, maxBytes: Math.min(limit, room), signal });
    const staged = await stage(deps, payer, download, { ...fetching, limit: Math.min(limit, room) });
    try {
      const inspect = (path: string) => inspectAudio(path, payer);
      const fit = { ...settings, channels_required: session.channels_required };
      const checks = { name: audio_source.file_name, settings: fit, maxBytes: deps.maxBytes, inspect };
      const audio = { ...(await checkAudio(staged, checks).catch(asRejection(download))), key: id };
      // A file that an earlier attempt left would be kept instead of this one.
      await deps.audio.remove(id, signal);
      await staged.keepAs(id, signal);
      const outcome = await storeFetched(session, audio, deps.maxStoredBytes);
      // `ended`: another attempt may have stored the same recording.
      const isUnused = outcome === 'full' || (outcome === 'ended' && (await statusOf(id)) !== 'fetched');
      if (isUnused) await deps.audio.remove(id);
      if (outcome === 'full') throw QUOTA;
    } finally {
      await staged.discard();
    }
  } catch (error) {
    if (!(error instanceof DownloadError) || error.failure !== 'too_large') throw error;
    throw room < limit ? QUOTA : new DownloadError('too_large', ['fetch_too_large:limit', size], { retries: 'never' });
  }
}

/** Stores the recording temporarily. */
async function stage(
  { audio, diskRoom }: FetchAudioDeps,
  payer: string,
  { body, bytesTotal, close }: AudioDownload,
  { signal, progress, limit }: Fetching & { limit: number },
): Promise<StagedAudio> {
  progress.total = bytesTotal;
  let release: (() => void) | undefined;
  try {
    release = await diskRoom.take(payer, bytesTotal ?? limit);
    if (!release) throw new DownloadError('no_room', ['fetch_disk_full']);
    return await audio.stage(Readable.from(counted(body, progress)), signal);
  } finally {
    release?.();
    close();
  }
}

async function* counted(body: AsyncIterable<Buffer>, progress: Progress) {
  for await (const chunk of body) {
    progress.received += chunk.length;
    yield chunk;
  }
}

function asRejection({ isPage }: AudioDownload) {
  return (error: unknown): never => {
    if (!(error instanceof UnfitAudioError)) throw error;
    throw new DownloadError('not_audio', isPage ? ['fetch_page'] : whyUnfit(error), { retries: 'never' });
  };
}

/** Returns why a downloaded file is not accepted. */
function whyUnfit({ fault, message }: UnfitAudioError): UnnamedFailure {
  switch (fault[0]) {
    case 'empty:file':
      return ['fetch_empty'];
    case 'silent:no_track':
      return ['fetch_empty:no_track'];
    case 'silent':
      return ['fetch_silent', fault[1]];
    case 'too_large:audio':
      return ['fetch_too_large:limit', fault[1]];
    case 'audio_length':
      return ['fetch_too_long', fault[1]];
    case 'audio_type':
      return ['fetch_other_type', fault[1]];
    default:
      return ['fetch_unfit', { problem: message }];
  }
}

async function statusOf(id: string): Promise<FetchOutcome['status']> {
  const status = await SessionModel.findStatus(id);
  if (status === undefined) return 'gone';
  return FINAL_SESSION_STATUSES.some((final) => final === status) ? status : 'fetched';
}
