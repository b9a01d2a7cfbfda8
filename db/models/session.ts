import { Model } from 'objection';
import type { TransactionOrKnex } from 'objection';
import { FINAL_SESSION_STATUSES, UNFINISHED_SESSION_STATUSES } from '../../contract/constants.ts';
import type {
  AssistantType,
  FieldEncoding,
  OutageChoice,
  ProviderName,
  SessionStatus,
  VendorFault,
} from '../../contract/constants.ts';
import type { FieldValue } from '../../contract/result-fields.ts';
import type { AnsweredBy, FrozenAssistant, SessionError, Transcript, Turn } from '../../contract/sessions.ts';
import type { RoleMap, SessionRoles } from '../../contract/roles.ts';
import { inMs, now } from '../clock.ts';
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
    ...['answered_by', 'roles', 'person_roles'],
  ];
  declare id: string;
  declare user_id: string;
  declare assistant_id: string;
  declare type: AssistantType;
  declare status: SessionStatus;
  declare assistant: FrozenAssistant;
  declare assistant_version: number | null;
  /** null for text, and once the audio is removed. */
  declare audio: StoredAudio | null;
  declare transcript: Transcript | null;
  /** What was submitted, or for voice the turns of the transcript; null before there is one. */
  declare conversation: Turn[] | null;
  /** Who is who, as the channels or the model say; null: not asked. */
  declare roles: SessionRoles | null;
  /** As a person says, which counts before it; null: nobody did. */
  declare person_roles: RoleMap | null;
  declare metadata: Record<string, string>;
  /** The session whose transcript this one analyzes anew; it may be deleted by now. */
  declare source_session_id: string | null;
  /** The batch that made it, or ran it last; null: a request of its own. */
  declare batch_id: string | null;
  declare simulated: boolean;
  /** It tries settings: it has no delivery, and is of no version of its assistant. */
  declare trial: boolean;
  declare summary_text: string | null;
  declare raw_response: Record<string, unknown> | null;
  declare temperature_applied: boolean | null;
  /** How the assistant's fields were asked for; null where there are none, and until they were answered. */
  declare field_encoding: FieldEncoding | null;
  declare error: SessionError | null;
  declare created_at: Date;
  /** Start of the current run; a retry sets it anew. */
  declare queued_at: Date;
  /** Its workflow asked for a slot, and its owner had enough sessions in flight. */
  declare waiting_for_slot: boolean;
  /** When it was last told that a slot may be free; null: not since it asked. */
  declare woken_at: Date | null;
  /** After this time the sweep looks whether a workflow works on it. */
  declare check_after: Date;
  declare completed_at: Date | null;
  /** What it does when its vendor is away; null: it fails. */
  declare on_vendor_outage: OutageChoice | null;
  /** The vendor that it waits for; null: it waits for none. */
  declare waiting_for_provider: ProviderName | null;
  /** Since when it waited first in this run. */
  declare waiting_since: Date | null;
  declare waiting_reason: VendorFault | null;
  /** The steps that the fallback did; null: none. */
  declare answered_by: AnsweredBy[] | null;
  /** When it last went on after it waited for a vendor. */
  declare resumed_at: Date | null;
  /** This column and the next four are made by PostgreSQL from others, for lists. */
  declare readonly assistant_name: string;
  declare readonly llm_model: string;
  declare readonly language: string | null;
  declare readonly audio_duration_s: number | null;
  declare readonly turn_count: number | null;
  /** The values of fields, and the names of those none of whose quotations stands; read for lists that show them. */
  declare readonly fields?: Record<string, FieldValue | null> | null;
  declare readonly unverified_fields?: string[] | null;
  /** The runs that were retried, times in ISO 8601. */
  declare earlier_runs: { queued_at: string; ended_at: string }[];
  /** The webhook that its result would have been posted to when it got its slot: selected then only. */
  declare webhook_url?: string | null;
  /** Sealed for the assistant. */
  declare webhook_secret?: string | null;

  static findOwned(userId: string, id: string) {
    return SessionModel.query().findOne({ id, user_id: userId });
  }

  /**
   * Stores a new session and returns how many of its owner's were queued before; counts no further than `countTo`.
   * Returns undefined if its id is taken: then nothing changes.
   */
  static async insertNew(row: Partial<SessionModel>, countTo = 0, trx = SessionModel.knex()) {
    const json = SessionModel.fromJson(row, { skipValidation: true }).$toDatabaseJson();
    const queued = SessionModel.query().select('id').where({ user_id: row.user_id, status: 'queued' }).limit(countTo);
    // Knex tells whether a row was inserted; Objection answers with its own input in either case.
    const rows = await trx
      .table(SessionModel.tableName)
      .insert(json)
      .onConflict('id')
      .ignore()
      .returning(SessionModel.knex().raw('(select count(*) from (?) as others) as queued', [queued.toKnexQuery()]));
    return (rows as { queued: number }[])[0]?.queued;
  }

  /** Returns the status, or undefined if there is no such session. */
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

  /**
   * Returns unfinished sessions whose workflow should have shown itself by now, those that are overdue longest first.
   * Each is to be told of with `setChecked`: then the next batch, and the next sweep, go on where this one stopped.
   */
  static findOverdue(limit: number) {
    return SessionModel.query()
      .select('id', 'user_id', 'assistant_id', 'type', 'status', 'queued_at')
      .whereIn('status', [...UNFINISHED_SESSION_STATUSES])
      .where('check_after', '<', SessionModel.raw('now()'))
      .orderBy('check_after')
      .limit(limit);
  }

  /** Has the sweep leave a session alone for the next `pause_s` seconds. */
  static setChecked(id: string, pause_s: number) {
    return SessionModel.query()
      .patch({ check_after: inMs(pause_s * 1_000) })
      .where({ id })
      .whereIn('status', [...UNFINISHED_SESSION_STATUSES]);
  }

  /** Finds sessions whose recording has been kept long enough, a batch at a time in the order of their ids. */
  static findExpiredAudio(limits: AudioLimits) {
    return inBatches(() => selectExpiredAudio(limits));
  }

  /**
   * Locks the session and returns it, or undefined if it is under way, gone, has no recording, or its recording is to
   * be kept longer.
   */
  static lockExpiredAudio(id: string, limits: AudioLimits, trx: TransactionOrKnex) {
    return selectExpiredAudio(limits, trx).findById(id).forUpdate();
  }

  /** Returns whose session it is, or was: of one that was deleted while it ran the calls are left. */
  static async findOwner(id: string): Promise<string | undefined> {
    const session = await SessionModel.query().select('user_id').findById(id);
    const call = session ?? (await VendorCallModel.query().select('user_id').findOne({ session_id: id }));
    return call?.user_id;
  }

  /** Returns how many sessions of the user are queued; counts no further than `limit`. */
  static countQueued(userId: string, limit: number): Promise<number> {
    return SessionModel.query().where({ user_id: userId, status: 'queued' }).limit(limit).resultSize();
  }

  /** Stores the turns of a recording. Returns false, and changes nothing, if the session ended meanwhile. */
  static async storeTranscript(
    id: string,
    fields: Pick<SessionModel, 'transcript' | 'conversation'> & Partial<Pick<SessionModel, 'answered_by' | 'roles'>>,
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
      .patch({ ...end, completed_at: new Date(), waiting_for_provider: null })
      .where({ id })
      .whereNotIn('status', [...FINAL_SESSION_STATUSES])
      // PostgreSQL sends the notification when the transaction commits.
      .returning(SessionModel.raw('pg_notify(?, id)', SESSION_FINISHED_CHANNEL));
    return rows.length === 1;
  }

  /**
   * Puts a failed session back into the queue; undefined if it is in another state, or its recording went before there
   * was a transcript: then nothing changes.
   * @param run what the new run differs in: one of a batch may wait for its vendor.
   */
  static async requeue(
    id: string,
    run: Pick<SessionModel, 'batch_id'> & Partial<Pick<SessionModel, 'on_vendor_outage'>> = { batch_id: null },
    trx?: TransactionOrKnex,
  ): Promise<SessionModel | undefined> {
    const ended = "jsonb_build_object('queued_at', queued_at, 'ended_at', completed_at)";
    const [row] = await SessionModel.query(trx)
      .patch({
        ...run,
        ...{ status: 'queued', error: null, completed_at: null },
        queued_at: now(),
        check_after: inMs(60_000),
        waiting_for_slot: false,
        waiting_since: null,
        resumed_at: null,
        earlier_runs: SessionModel.raw(`(earlier_runs::jsonb || ${ended})::json`) as never,
      })
      .where({ id, status: 'failed' })
      .whereRaw("(type <> 'voice' or audio is not null or transcript is not null)")
      .returning('*');
    return row;
  }

  /** Who is who, as far as anybody says; null: nobody does. */
  get knownRoles(): SessionRoles | null {
    return this.person_roles ? { source: 'person', map: this.person_roles, evidence: {} } : (this.roles ?? null);
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

export type SessionEnd =
  | (Pick<SessionModel, 'summary_text' | 'raw_response' | 'temperature_applied'> &
      Partial<Pick<SessionModel, 'field_encoding' | 'answered_by' | 'roles'>> & { status: 'completed' })
  | { status: 'failed'; error: SessionError }
  | { status: 'canceled' };
