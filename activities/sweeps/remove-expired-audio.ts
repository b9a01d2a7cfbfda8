import { SessionModel } from '../../db/models/session.ts';
import type { AudioLimits } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface RemoveExpiredAudioDeps {
  audio: AudioStore;
  /** Days after the end of a session; 0: at its end. */
  audioRetentionDays: number;
  log: Log;
}

export interface RemovalReport {
  /** Recordings whose time is over. */
  expired: number;
  /** Recordings that no session has. */
  orphaned: number;
}

const DAY_MS = 24 * 3_600_000;

/** A recording whose transcription failed is kept this long at the least, for a retry. */
const MIN_DAYS_FOR_RETRY = 1;

/** Far longer than an upload may take: what has no session by then never gets one. */
const ORPHAN_AFTER_MS = DAY_MS;

/** Keys that one query asks for. */
const ORPHAN_BATCH = 500;

/** Removes what was kept long enough, and what a crash left: recordings without a session, unfinished files. */
export function createRemoveExpiredAudio(deps: RemoveExpiredAudioDeps) {
  return async function removeExpiredAudio(): Promise<RemovalReport> {
    const report: RemovalReport = { expired: 0, orphaned: 0 };
    for await (const { id } of SessionModel.findExpiredAudio(limitsOf(deps))) {
      if (await removeAudio(deps, id)) report.expired += 1;
    }
    const storedBefore = new Date(Date.now() - ORPHAN_AFTER_MS);
    for await (const key of findOrphans(deps.audio, storedBefore)) {
      await deps.audio.remove(key);
      report.orphaned += 1;
    }
    await deps.audio.removeUnfinished(storedBefore);
    if (report.expired + report.orphaned > 0) deps.log.info(report, 'removed recordings');
    return report;
  };
}

type RemoveAudioDeps = Pick<RemoveExpiredAudioDeps, 'audio' | 'audioRetentionDays'>;

function limitsOf({ audioRetentionDays }: Pick<RemoveAudioDeps, 'audioRetentionDays'>): AudioLimits {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  return {
    endedBefore: daysAgo(audioRetentionDays),
    failedBefore: daysAgo(Math.max(audioRetentionDays, MIN_DAYS_FOR_RETRY)),
  };
}

/**
 * Removes the recording of a session if its time is over. False if it is not, if there is none, or the session began
 * anew: its row is locked meanwhile. The file goes first, so that a crash leaves a row that names it and the next call
 * ends the work.
 */
export async function removeAudio(deps: RemoveAudioDeps, id: string): Promise<boolean> {
  return SessionModel.transaction(async (trx) => {
    const session = await SessionModel.lockExpiredAudio(id, limitsOf(deps), trx);
    if (!session?.audio) return false;
    await deps.audio.remove(session.audio.key);
    await SessionModel.query(trx).findById(id).patch({ audio: null });
    return true;
  });
}

async function* findOrphans(audio: AudioStore, storedBefore: Date): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of audio.listOlderThan(storedBefore)) {
    batch.push(key);
    if (batch.length < ORPHAN_BATCH) continue;
    yield* await withoutSession(batch);
    batch = [];
  }
  yield* await withoutSession(batch);
}

/** A key is the id of its session. */
async function withoutSession(keys: string[]): Promise<string[]> {
  const rows = await SessionModel.query().select('id').whereIn('id', keys).whereNotNull('audio');
  const known = new Set(rows.map(({ id }) => id));
  return keys.filter((key) => !known.has(key));
}
