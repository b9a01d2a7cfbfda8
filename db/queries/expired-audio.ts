/** Recordings that are no longer kept. */
import type { TransactionOrKnex } from 'objection';
import { HOPELESS_FAULTS, MIN_AUDIO_DAYS_FOR_RETRY, SessionModel } from '../models/session.ts';
import { inBatches } from '../page.ts';
import { runPrepared } from '../statements.ts';

/** Redaction keeps no recording, unless `keep_audio` is set. */
const KEEPS_NO_AUDIO = "assistant -> 'redaction' ->> 'keep_audio' = 'false'";

/** A session with a transcript needs no recording for a retry. */
const AWAITS_RETRY = `status = 'failed' and transcript is null
  and coalesce(error->>'code', '') not in (${HOPELESS_FAULTS.map((fault) => `'${fault}'`).join(', ')})`;

/** Returns the SQL condition that a recording was kept for so many days after the end of its session. */
const isKeptFor = (days: string) => `completed_at <= now() - ${days} * interval '1 day'
  and (not (${AWAITS_RETRY}) or completed_at <= now() - greatest(${days}, ${MIN_AUDIO_DAYS_FOR_RETRY}) * interval '1 day')`;

const HAS_EXPIRED = `(${isKeptFor('cast(:days as int)')} or ${KEEPS_NO_AUDIO} and ${isKeptFor('0')})`;

const HAS_EXPIRED_BY_ID = `select from sessions where id = :id and audio is not null and ${HAS_EXPIRED}`;

/** Yields the sessions whose recording has expired, in the order of IDs. @param days how long recordings are kept. */
export const findExpiredAudio = (days: number) => inBatches(() => selectExpiredAudio(days));

/** Returns whether the session has an expired recording, without locking the session. */
export const hasExpiredAudio = async (id: string, days: number) =>
  (await runPrepared(HAS_EXPIRED_BY_ID, { id, days })).length === 1;

/** Locks a session and returns it, or undefined if it has no expired recording. */
export const lockExpiredAudio = (id: string, days: number, trx: TransactionOrKnex) =>
  selectExpiredAudio(days, trx).findById(id).forUpdate();

const selectExpiredAudio = (days: number, trx?: TransactionOrKnex) =>
  SessionModel.query(trx).select('id', 'audio').whereNotNull('audio').whereRaw(HAS_EXPIRED, { days });
