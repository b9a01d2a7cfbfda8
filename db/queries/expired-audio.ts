/** Recordings that are no longer kept. */
import type { QueryBuilder, TransactionOrKnex } from 'objection';
import { HOPELESS_FAULTS, SessionModel } from '../models/session.ts';
import { inBatches } from '../page.ts';

/** A recording is removed if its session ended before these times. */
export interface AudioLimits {
  endedBefore: Date;
  /** For failed sessions that a retry would transcribe. */
  failedBefore: Date;
}

/** Redaction keeps no recording, unless `keep_audio` is set. */
const KEEPS_NO_AUDIO = "assistant -> 'redaction' ->> 'keep_audio' = 'false'";

/** A session with a transcript needs no recording for a retry. */
const AWAITS_RETRY = `status = 'failed' and transcript is null
  and coalesce(error->>'code', '') not in (${HOPELESS_FAULTS.map((fault) => `'${fault}'`).join(', ')})`;

/** Yields sessions whose recording has expired, in the order of IDs. @param redacted the limits of sessions whose recording is not kept. */
export function findExpiredAudio(limits: AudioLimits, redacted: AudioLimits) {
  return inBatches(() => selectExpiredAudio(limits, redacted));
}

/** Locks a session and returns it, or undefined if it has no expired recording. */
export function lockExpiredAudio(id: string, limits: AudioLimits, redacted: AudioLimits, trx: TransactionOrKnex) {
  return selectExpiredAudio(limits, redacted, trx).findById(id).forUpdate();
}

function selectExpiredAudio(limits: AudioLimits, redacted: AudioLimits, trx?: TransactionOrKnex) {
  const expiredBy =
    ({ endedBefore, failedBefore }: AudioLimits) =>
    (row: QueryBuilder<SessionModel>) =>
      row
        .where('completed_at', '<=', endedBefore)
        .where((other) => other.whereRaw(`not (${AWAITS_RETRY})`).orWhere('completed_at', '<=', failedBefore));
  return SessionModel.query(trx)
    .select('id', 'audio')
    .whereNotNull('audio')
    .where((row) =>
      row.where(expiredBy(limits)).orWhere((other) => other.whereRaw(KEEPS_NO_AUDIO).where(expiredBy(redacted))),
    );
}
