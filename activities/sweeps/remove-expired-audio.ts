import { isOwnStore } from '../../db/check-installation.ts';
import { AudioSourceModel } from '../../db/models/audio-source.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findExpiredAudio } from '../../db/queries/expired-audio.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { removeAudio, type RemoveAudioDeps } from '../sessions/remove-audio.ts';

/** Age at which a recording without a session is removed: far longer than an upload. */
const ORPHAN_AFTER_MS = 24 * 3_600_000;

/** Keys per query. */
const ORPHAN_BATCH = 500;

/** Returns the activity that removes expired recordings and URLs, recordings without a session, and unfinished files of crashes. */
export function createRemoveExpiredAudio(deps: RemoveAudioDeps) {
  return async function removeExpiredAudio() {
    const report = { expired: 0, orphaned: 0 };
    await AudioSourceModel.removeExpired();
    for await (const { id } of findExpiredAudio(deps.audioRetentionDays)) {
      if (await removeAudio(deps, id)) report.expired += 1;
    }
    if (await isOwnStore(SessionModel.knex(), deps.audio)) report.orphaned = await removeOrphans(deps.audio);
    else deps.log.error({}, 'AUDIO_STORE is not marked as that of this database: start a process again to check it');
    if (report.expired + report.orphaned > 0) deps.log.info(report, 'removed recordings');
    return report;
  };
}

/** Returns the number of removed recordings. */
async function removeOrphans(audio: AudioStore): Promise<number> {
  const storedBefore = new Date(Date.now() - ORPHAN_AFTER_MS);
  let removed = 0;
  for await (const key of findOrphans(audio, storedBefore)) {
    await audio.remove(key);
    removed += 1;
  }
  await audio.removeUnfinished(storedBefore);
  return removed;
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

/** Returns the keys without a session. A key is the ID of its session. */
async function withoutSession(keys: string[]): Promise<string[]> {
  const rows = await SessionModel.query().select('id').whereIn('id', keys).whereNotNull('audio');
  const known = new Set(rows.map(({ id }) => id));
  return keys.filter((key) => !known.has(key));
}
