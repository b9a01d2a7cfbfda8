import { SessionModel } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { audioLimits, removeAudio } from '../sessions/remove-audio.ts';
import type { RemoveAudioDeps } from '../sessions/remove-audio.ts';

export interface RemovalReport {
  /** Recordings removed because they were kept long enough. */
  expired: number;
  /** Recordings removed because no session has them. */
  orphaned: number;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Age at which a recording without a session is removed. It is far longer than an upload may take, so no session can
 * follow.
 */
const ORPHAN_AFTER_MS = DAY_MS;

/** Keys in one query. */
const ORPHAN_BATCH = 500;

/**
 * Returns the activity that removes recordings that were kept long enough, and what crashes left: recordings without a
 * session and unfinished files.
 */
export function createRemoveExpiredAudio(deps: RemoveAudioDeps) {
  return async function removeExpiredAudio(): Promise<RemovalReport> {
    const report: RemovalReport = { expired: 0, orphaned: 0 };
    for await (const { id } of SessionModel.findExpiredAudio(audioLimits(deps))) {
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

/** Returns the keys that belong to no session. A key is the id of its session. */
async function withoutSession(keys: string[]): Promise<string[]> {
  const rows = await SessionModel.query().select('id').whereIn('id', keys).whereNotNull('audio');
  const known = new Set(rows.map(({ id }) => id));
  return keys.filter((key) => !known.has(key));
}
