import { Model, type TransactionOrKnex } from 'objection';
import {
  FINAL_SESSION_STATUSES,
  UNBEGUN_SESSION_STATUSES,
  type AssistantType,
  type FieldEncoding,
  type OutageChoice,
  type SessionStatus,
  type ProviderFault,
} from '../../contract/values/constants.ts';
import type { SessionRedaction } from '../../contract/values/redaction.ts';
import type { FieldValue } from '../../contract/fields/result-fields.ts';
import type { AnsweredBy, FrozenAssistant, Transcript, Turn } from '../../contract/sessions/sessions.ts';
import type { Fallback } from '../../contract/assistants/versioned-settings.ts';
import type { LeftOut } from '../../contract/sessions/left-out.ts';
import type { ProviderWait, SessionError } from '../../contract/errors/session-error.ts';
import type { RoleMap, SessionRoles } from '../../contract/values/roles.ts';
import type { AudioSource } from './audio-source.ts';
import { inMs, runPrepared } from '../statements.ts';
import { IdempotencyKeyModel } from './idempotency-key.ts';
import { PAYER } from './workspace.ts';
import type { SessionReview } from '../../contract/reviews/reviews.ts';

/** PostgreSQL channel with the ID of each session that ends. */
export const SESSION_FINISHED_CHANNEL = 'session_finished';

/** An uploaded recording. */
export interface StoredAudio {
  /** Name in the audio store. */
  key: string;
  /** Name of the client's file, for the provider and for downloads. */
  file_name: string;
  /** Detected from the first bytes. */
  media_type: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** null: the container does not contain it (a streamed WebM). */
  duration_s: number | null;
  /** Audio tracks, if there are several. */
  tracks?: number;
  /** Channels, if their number is not that of `channel_roles`: the provider separates the speakers by voice. */
  channels?: number;
}

/** Faults that the same recording would cause again. */
export const HOPELESS_FAULTS = ['bad_input', 'refused', 'too_large'] as const;

/** A recording whose transcription failed is kept at least this long, for a retry. */
export const MIN_AUDIO_DAYS_FOR_RETRY = 1;

/** Why a step waits, with what a person requested meanwhile. Times are in ISO 8601. */
export interface StoredWait extends ProviderWait {
  /** The next try tests the provider, even if its circuit is open. */
  now?: boolean;
  /** The next tries use these providers. */
  fallback?: Fallback;
}

export class SessionModel extends Model {
  static override tableName = 'sessions';
  static override jsonAttributes = [
    'assistant',
    'audio',
    'transcript',
    'conversation',
    'metadata',
    'raw_response',
    'error',
    'earlier_runs',
    'answered_by',
    'left_out',
    'roles',
    'person_roles',
    'redaction',
    'waiting',
    'audio_source',
    'skipped_follow_ups',
  ];
  declare id: string;
  declare workspace_id: string;
  declare assistant_id: string;
  declare type: AssistantType;
  declare status: SessionStatus;
  declare assistant: FrozenAssistant;
  declare assistant_version: number | null;
  /** null for text, and once the audio is removed. */
  declare audio: StoredAudio | null;
  /** null: the recording was uploaded. */
  declare audio_source: AudioSource | null;
  declare transcript: Transcript | null;
  /** The submitted conversation; voice: the turns of the transcript, null before there is one. */
  declare conversation: Turn[] | null;
  /** Roles of speakers from the channels or the model; null: not determined. */
  declare roles: SessionRoles | null;
  /** Roles of speakers set by a person, which take precedence; null: none. */
  declare person_roles: RoleMap | null;
  /** What was replaced in the conversation, and the session that has the originals; null: not redacted. */
  declare redaction: (SessionRedaction & { sealed_in: string | null }) | null;
  declare metadata: Record<string, string>;
  /** ID of the API token or user that submitted it. */
  declare created_by: string | null;
  /** The session that this one reanalyzes; it may be deleted. */
  declare source_session_id: string | null;
  /** The batch that created or last ran it; null: none. */
  declare batch_id: string | null;
  /** The session whose conversation this follow-up analyzes, and which deletes it; null: not a follow-up. */
  declare first_session_id: string | null;
  /** Deleted assistants whose follow-up did not start; null: none. */
  declare skipped_follow_ups: string[] | null;
  declare simulated: boolean;
  /** A trial of settings, without a delivery and without a version of the assistant. */
  declare trial: boolean;
  declare summary_text: string | null;
  declare raw_response: Record<string, unknown> | null;
  declare temperature_applied: boolean | null;
  /** What models refused of the requests, and what was therefore left out; null: nothing. */
  declare left_out: LeftOut[] | null;
  /** How the model returned the fields; null: no fields, or no result yet. */
  declare field_encoding: FieldEncoding | null;
  declare error: SessionError | null;
  declare created_at: Date;
  /** null: when it was submitted. */
  declare occurred_at: Date | null;
  /** Start of the current run. */
  declare queued_at: Date;
  /** When the sweep checks that a workflow works on it. */
  declare check_after: Date;
  declare completed_at: Date | null;
  /** null: it fails. */
  declare on_provider_outage: OutageChoice | null;
  /** null: it does not wait. */
  declare waiting: StoredWait | null;
  /** The steps performed by a fallback provider; null: none. */
  declare answered_by: AnsweredBy[] | null;
  /** PostgreSQL generates this column and the next five. */
  declare readonly assistant_name: string;
  declare readonly llm_model: string;
  declare readonly language: string | null;
  declare readonly audio_duration_s: number | null;
  declare readonly audio_bytes: number | null;
  declare readonly turn_count: number | null;
  /** Field values and the names of unverified fields. Selected only for lists that show them. */
  declare readonly fields?: Record<string, FieldValue | null> | null;
  declare readonly unverified_fields?: string[] | null;
  /** Selected only where a response contains it. */
  declare readonly review?: SessionReview | null;
  /** The value that a list is sorted by. Selected only for sorted lists. */
  declare readonly sorted_by?: string;
  /** Whose limits the session counts for. Selected only to start workflows. */
  declare readonly payer: string;
  /** The failed runs before retries. Times are in ISO 8601. */
  declare earlier_runs: { queued_at: string; ended_at: string }[];

  static findOwned(workspaceId: string, id: string, trx?: TransactionOrKnex) {
    return SessionModel.query(trx).findOne({ id, workspace_id: workspaceId });
  }

  /** Returns the token or the user that created a session. */
  static async findCreator(workspace_id: string, id: string): Promise<string | null | undefined> {
    return (await SessionModel.query().select('created_by').findOne({ id, workspace_id }))?.created_by;
  }

  /** Returns the status, or undefined if there is no such session. */
  static async findStatus(id: string): Promise<SessionStatus | undefined> {
    return (await SessionModel.query().select('status').findById(id))?.status;
  }

  static async hasEnded(id: string): Promise<boolean> {
    const found = await SessionModel.findStatus(id);
    return FINAL_SESSION_STATUSES.some((status) => status === found);
  }

  /** Deletes a session whose workflow could not be started. Returns false if it runs, or ran before: runs are paid for. */
  static withdraw(id: string): Promise<boolean> {
    return SessionModel.transaction(async (trx) => {
      const unstarted = SessionModel.query(trx)
        .delete()
        .where({ id })
        .whereIn('status', [...UNBEGUN_SESSION_STATUSES])
        .whereRaw("earlier_runs = '[]'");
      const isDeleted = (await unstarted) === 1;
      // The ID can't be reused: its workflow may have started and ended without a session.
      if (isDeleted) await IdempotencyKeyModel.free(id, trx);
      return isDeleted;
    });
  }

  /** Reads a conversation that `beginStep` omitted. */
  static async readConversation(id: string): Promise<Turn[] | null> {
    return (await SessionModel.query().select('conversation').findById(id))?.conversation ?? null;
  }

  /**
   * Returns unfinished sessions whose check is due, longest overdue first. Call `setChecked` for each, so that the next call
   * returns others.
   */
  static findOverdue(limit: number) {
    return SessionModel.query()
      .select('id', 'workspace_id', 'assistant_id', 'type', 'batch_id', 'status', 'queued_at', SessionModel.raw(PAYER))
      .whereNull('completed_at')
      .where('check_after', '<', SessionModel.raw('now()'))
      .orderBy('check_after')
      .limit(limit);
  }

  /** Postpones the next check by `pause_s` seconds. */
  static setChecked(id: string, pause_s: number) {
    return SessionModel.query()
      .patch({ check_after: inMs(pause_s * 1_000) })
      .where({ id })
      .whereNull('completed_at');
  }

  /** Stores why the step of an unfinished session waits and when it is tried again. */
  static async storeWaiting(
    id: string,
    wait: { provider: string; reason: ProviderFault; delayMs: number; now?: boolean },
  ): Promise<void> {
    await runPrepared(
      `update sessions set check_after = now() + :delayMs * interval '1 millisecond' + interval '5 minutes',
         waiting = jsonb_build_object('provider', cast(:provider as text), 'reason', cast(:reason as text),
           'since', coalesce(waiting -> 'since', to_jsonb(now())),
           'next_try_at', to_jsonb(now() + :delayMs * interval '1 millisecond'), 'now', cast(:now as boolean))
           || jsonb_strip_nulls(jsonb_build_object('fallback', waiting -> 'fallback'))
       where id = :id and completed_at is null`,
      { id, now: false, ...wait },
    );
  }

  /** Requests the next try of a waiting session. Returns false, and changes nothing, if it does not wait. */
  static async hasten(id: string, fallback: Fallback | undefined): Promise<boolean> {
    const rows = await runPrepared(
      `update sessions set waiting = (waiting - 'fallback')
         || jsonb_build_object('next_try_at', to_jsonb(now()), 'now', true)
         || jsonb_strip_nulls(jsonb_build_object('fallback', cast(:fallback as jsonb)))
       where id = :id and completed_at is null and waiting is not null returning id`,
      { id, fallback: fallback ? JSON.stringify(fallback) : null },
    );
    return rows.length === 1;
  }

  /** Why the session waits, with times as in the API. */
  get occurredAt(): Date {
    return this.occurred_at ?? this.created_at;
  }

  get waitingFor(): ProviderWait | null {
    const asIso = (time: string) => new Date(time).toISOString();
    if (this.waiting === null) return null;
    const { provider, reason, since, next_try_at } = this.waiting;
    return { provider, reason, since: asIso(since), next_try_at: asIso(next_try_at) };
  }

  /** The roles of speakers that count; null: unknown. */
  get knownRoles(): SessionRoles | null {
    return this.person_roles ? { source: 'person', map: this.person_roles, evidence: {} } : (this.roles ?? null);
  }

  /** Returns the number of days after its end that the recording of this session is kept. */
  keptAudioDays(retentionDays: number): number {
    const awaitsRetry =
      this.status === 'failed' &&
      this.transcript === null &&
      !HOPELESS_FAULTS.some((code) => code === this.error?.code);
    const days = this.assistant.redaction?.keep_audio === false ? 0 : retentionDays;
    return awaitsRetry ? Math.max(days, MIN_AUDIO_DAYS_FOR_RETRY) : days;
  }
}
