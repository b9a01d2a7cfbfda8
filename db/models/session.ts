import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { FINAL_SESSION_STATUSES } from '../../contract/constants.ts';
import type { AssistantType, SessionStatus } from '../../contract/constants.ts';
import type { FrozenAssistant, SessionError, Transcript, Turn } from '../../contract/sessions.ts';
import { inBatches } from '../page.ts';
import { IdempotencyKeyModel } from './idempotency-key.ts';
import { VendorCallModel } from './vendor-call.ts';

/** PostgreSQL channel on which the id of each session that reaches its end is announced. */
export const SESSION_FINISHED_CHANNEL = 'session_finished';

/** A retried session is not taken back: it holds what its earlier runs paid for. */
const NEVER_RAN = "earlier_runs::text = '[]'";

/** Until when a session must have ended for its recording to be removed. */
export interface AudioLimits {
  endedBefore: Date;
  /** Of those that a retry would transcribe. */
  failedBefore: Date;
}

/** Faults that the same recording would meet again. */
const HOPELESS_FAULTS = ['bad_input', 'refused', 'too_large'] as const;

/** Once there is a transcript, a retry needs no recording. */
const AWAITS_RETRY = `status = 'failed' and transcript is null
  and coalesce(error->>'code', '') not in (${HOPELESS_FAULTS.map((fault) => `'${fault}'`).join(', ')})`;

/** A recording whose transcription failed is kept this long at the least, for a retry. */
export const MIN_AUDIO_DAYS_FOR_RETRY = 1;

/** An uploaded recording. */
export interface StoredAudio {
  /** Its name in the audio store. */
  key: string;
  /** As the client named it, for the vendor and for downloads. */
  file_name: string;
  /** As its first bytes say. */
  media_type: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  /** null: the container does not say (a streamed WebM). */
  duration_s: number | null;
}

/** One row of `sessions`. */
export class SessionModel extends Model {
  static override tableName = 'sessions';
  static override jsonAttributes = [
    ...['assistant', 'audio', 'transcript', 'conversation', 'metadata', 'raw_response', 'error', 'earlier_runs'],
  ];
  declare id: string;
  declare user_id: string;
  declare assistant_id: string;
  declare type: AssistantType;
  declare status: SessionStatus;
  declare assistant: FrozenAssistant;
  /** null for text, and once the audio is removed. */
  declare audio: StoredAudio | null;
  declare transcript: Transcript | null;
  /** What was submitted, or for voice the turns of the transcript; null before there is one. */
  declare conversation: Turn[] | null;
  declare metadata: Record<string, string>;
  /** The session whose transcript this one analyzes anew; it may be deleted by now. */
  declare source_session_id: string | null;
  declare simulated: boolean;
  declare summary_text: string | null;
  declare raw_response: Record<string, unknown> | null;
  declare temperature_applied: boolean | null;
  declare error: SessionError | null;
  declare created_at: Date;
  /** Start of the current run; a retry sets it anew. */
  declare queued_at: Date;
  /** It asked to begin, and its owner had enough sessions in flight. */
  declare held: boolean;
  declare completed_at: Date | null;
  /** This column and the next four are made by PostgreSQL from others, for lists. */
  declare readonly assistant_name: string;
  declare readonly llm_model: string;
  declare readonly language: string | null;
  declare readonly audio_duration_s: number | null;
  declare readonly turn_count: number | null;
  /** The runs that were retried, times in ISO 8601. */
  declare earlier_runs: { queued_at: string; ended_at: string }[];

  static findOwned(userId: string, id: string) {
    return SessionModel.query().findOne({ id, user_id: userId });
  }

  /** Stores a new session; false if its id is taken: then nothing changes. */
  static async insertNew(row: Partial<SessionModel>): Promise<boolean> {
    const json = SessionModel.fromJson(row, { skipValidation: true }).$toDatabaseJson();
    // Knex tells whether a row was inserted; Objection answers with its own input in either case.
    const rows = await SessionModel.knex()
      .table(SessionModel.tableName)
      .insert(json)
      .onConflict('id')
      .ignore()
      .returning('id');
    return rows.length === 1;
  }

  /** Undefined if there is no such session. */
  static async findStatus(id: string): Promise<SessionStatus | undefined> {
    return (await SessionModel.query().select('status').findById(id))?.status;
  }

  static async hasEnded(id: string): Promise<boolean> {
    const found = await SessionModel.findStatus(id);
    return FINAL_SESSION_STATUSES.some((status) => status === found);
  }

  /** Takes back a session whose workflow could not be started; false if it runs after all. */
  static withdraw(id: string): Promise<boolean> {
    return SessionModel.transaction(async (trx) => {
      const isGone = (await SessionModel.query(trx).delete().where({ id, status: 'queued' }).whereRaw(NEVER_RAN)) === 1;
      // Its workflow may have started after all and found nothing: the id is spent.
      if (isGone) await IdempotencyKeyModel.free(id, trx);
      return isGone;
    });
  }

  /** Unfinished sessions that were queued more than `age_s` seconds ago, a batch at a time in the order of their ids. */
  static findUnfinished(age_s: number) {
    return inBatches(() =>
      SessionModel.query()
        .select('id', 'user_id', 'assistant_id', 'type', 'status', 'queued_at')
        .whereIn('status', ['queued', 'transcribing', 'analyzing'])
        .where('queued_at', '<', SessionModel.raw("now() - ? * interval '1 second'", age_s)),
    );
  }

  /** Sessions whose recording has been kept long enough, a batch at a time in the order of their ids. */
  static findExpiredAudio(limits: AudioLimits) {
    return inBatches(() => selectExpiredAudio(limits));
  }

  /** Undefined if the session is under way, gone, or has no recording; or its recording is to be kept longer. */
  static lockExpiredAudio(id: string, limits: AudioLimits, trx: TransactionOrKnex) {
    return selectExpiredAudio(limits, trx).findById(id).forUpdate();
  }

  /**
   * Moves an unfinished session on and reads it, in one statement; undefined if it has ended or is gone, or if it must
   * wait: of its owner's sessions, the `maxInFlight` oldest that are not finished may be in flight. Then it is held.
   */
  static async begin(id: string, status: SessionStatus, maxInFlight: number): Promise<SessionModel | undefined> {
    const row = await moveOn(id, status, maxInFlight);
    if (row) return row;
    const isHeld = await SessionModel.query().patch({ held: true }).where({ id, status: 'queued' });
    // Who ended meanwhile did not see that it waits.
    return isHeld ? moveOn(id, status, maxInFlight) : undefined;
  }

  /** Held sessions of the owner of this one whose turn it is, the oldest first. */
  static async findWakeable(id: string, maxInFlight: number): Promise<string[]> {
    const { rows } = await SessionModel.knex().raw<{ rows: { id: string; in_flight: number }[] }>(
      // One that was deleted while it ran has its calls left.
      `with owner as materialized (
         (select user_id from sessions where id = :id)
         union all (select user_id from vendor_calls where session_id = :id) limit 1)
       select held.id, (select count(*) from (
           select from sessions where ${sameOwner('user_id', '(select user_id from owner)')} and ${IN_FLIGHT} limit :maxInFlight
         ) as others) as in_flight
       from sessions held
       where ${sameOwner('held.user_id', '(select user_id from owner)')} and held.held and held.status = 'queued'
       order by held.user_id, held.id limit :maxInFlight`,
      { id, maxInFlight },
    );
    return rows.flatMap((row, index) => (row.in_flight + index < maxInFlight ? [row.id] : []));
  }

  /** False if the session ended meanwhile: then nothing changes. */
  static async storeTranscript(
    id: string,
    fields: Pick<SessionModel, 'transcript' | 'conversation'>,
    trx: TransactionOrKnex,
  ): Promise<boolean> {
    const count = await SessionModel.query(trx)
      .patch(fields)
      .where({ id })
      .whereNotIn('status', [...FINAL_SESSION_STATUSES]);
    return count === 1;
  }

  /** Ends an unfinished session and tells those who wait for it; false if it had ended before: then nothing changes. */
  static async finish(id: string, end: SessionEnd, trx?: TransactionOrKnex): Promise<boolean> {
    const rows = await SessionModel.query(trx)
      .patch({ ...end, completed_at: new Date() })
      .where({ id })
      .whereNotIn('status', [...FINAL_SESSION_STATUSES])
      // PostgreSQL sends the notification when the transaction commits.
      .returning(SessionModel.raw('pg_notify(?, id)', SESSION_FINISHED_CHANNEL));
    return rows.length === 1;
  }

  /**
   * Puts a failed session back into the queue; undefined if it is in another state, or its recording went before there
   * was a transcript: then nothing changes.
   */
  static async requeue(id: string): Promise<SessionModel | undefined> {
    const run = "jsonb_build_object('queued_at', queued_at, 'ended_at', completed_at)";
    const [row] = await SessionModel.query()
      .patch({
        ...{ status: 'queued', error: null, completed_at: null },
        queued_at: SessionModel.raw('now()') as never,
        earlier_runs: SessionModel.raw(`(earlier_runs::jsonb || ${run})::json`) as never,
      })
      .where({ id, status: 'failed' })
      .whereRaw("(type <> 'voice' or audio is not null or transcript is not null)")
      .returning('*');
    return row;
  }

  /**
   * Deletes a session with all that was said in it, and tells those who wait for it; what it cost stays in the ledger.
   * A call that is answered later leaves nothing either: see the trigger on `vendor_calls`. False: it was gone before.
   */
  static async erase(id: string): Promise<boolean> {
    return SessionModel.transaction(async (trx) => {
      const rows = await SessionModel.query(trx)
        .delete()
        .where({ id })
        .returning(SessionModel.raw('pg_notify(?, id)', SESSION_FINISHED_CHANNEL));
      await VendorCallModel.eraseVendorResponses(id, trx);
      await IdempotencyKeyModel.free(id, trx);
      return rows.length === 1;
    });
  }

  /** Returns how many days after its end the recording of this session is kept. */
  keptAudioDays(retentionDays: number): number {
    const awaitsRetry =
      this.status === 'failed' &&
      this.transcript === null &&
      !HOPELESS_FAULTS.some((code) => code === this.error?.code);
    return awaitsRetry ? Math.max(retentionDays, MIN_AUDIO_DAYS_FOR_RETRY) : retentionDays;
  }
}

function selectExpiredAudio({ endedBefore, failedBefore }: AudioLimits, trx?: TransactionOrKnex) {
  return SessionModel.query(trx)
    .select('id', 'audio')
    .whereNotNull('audio')
    .where('completed_at', '<=', endedBefore)
    .where((row) => row.whereRaw(`not (${AWAITS_RETRY})`).orWhere('completed_at', '<=', failedBefore));
}

/**
 * Equality, as two bounds: where a few users have most of the sessions, PostgreSQL expects to meet those that it looks for
 * soon and reads the table from its start, which is long where there are none. For a range it takes the user's index.
 */
const sameOwner = (one: string, other: string) => `${one} >= ${other} and ${one} <= ${other}`;

const IN_FLIGHT = "status in ('transcribing', 'analyzing')";

async function moveOn(id: string, status: SessionStatus, maxInFlight: number): Promise<SessionModel | undefined> {
  const values = [id, status, maxInFlight];
  const { rows } = await SessionModel.knex().raw<{ rows: object[] }>('select * from begin_session(?, ?, ?)', values);
  return rows[0] && SessionModel.fromDatabaseJson(rows[0]);
}

export type SessionEnd =
  | (Pick<SessionModel, 'summary_text' | 'raw_response' | 'temperature_applied'> & { status: 'completed' })
  | { status: 'failed'; error: SessionError }
  | { status: 'canceled' };
