/** Every change of a session's status. No other code writes the column: test/db/session-status.test.ts. */
import type { FieldRow } from '../../contract/fields/field-rows.ts';
import type { TransactionOrKnex } from 'objection';
import {
  STATUS_OF_STEP,
  UNBEGUN_SESSION_STATUSES,
  UNFINISHED_SESSION_STATUSES,
  type ProviderName,
  type SessionEvent,
  type SessionStatus,
  type Step,
} from '../../contract/values/constants.ts';
import { inMs, now, runPrepared } from '../statements.ts';
import type { ClosedCall } from '../models/provider-call.ts';
import { AudioSourceModel } from '../models/audio-source.ts';
import { SessionModel, type StoredAudio } from '../models/session.ts';
import { PAYER } from '../models/workspace.ts';
import { ADD_LATE_COST } from '../models/call-cost.ts';
import { FINISH, type SessionEnd } from './session-end.ts';
import { searchedWords, type SearchedTexts } from './text-query.ts';
import type { FollowUp } from '../../contract/assistants/follow-ups.ts';
import type { StoredAlert } from '../models/assistant.ts';

const STARTED = ['queued', 'transcribing', 'analyzing'] as const;

/**
 * The statuses from which a session can change to each status. A new session is `queued`, the default of the column, or
 * `fetching`.
 */
export const ALLOWED_FROM: Record<SessionStatus, readonly SessionStatus[]> = {
  fetching: ['failed'], // requeueSession
  queued: ['fetching', 'failed'], // queueFetched, requeueSession
  transcribing: STARTED, // beginStep; a repeated step begins again
  analyzing: STARTED, // beginStep
  completed: UNFINISHED_SESSION_STATUSES, // finishSession
  failed: UNFINISHED_SESSION_STATUSES, // finishSession
  canceled: UNFINISHED_SESSION_STATUSES, // finishSession, cancelQueuedSession
};

/** Above this size, `beginStep` leaves the conversation out, and a bulkhead limits how many of them a worker reads at once. */
const LARGE_CONVERSATION_BYTES = 256 * 1_024;

const PROVIDER_OF = { analysis: "assistant ->> 'llm_provider'", transcription: "assistant ->> 'stt_provider'" };

const STEP_COLUMNS = `id, workspace_id, assistant_id, assistant_version, type, assistant, audio, roles, person_roles, redaction, answered_by,
  on_provider_outage, trial, batch_id, source_session_id, first_session_id, earlier_runs, created_by, queued_at, created_at, occurred_at, completed_at, waiting, metadata`;

const SIZE = 'coalesce(octet_length(cast(conversation as text)), 0)';

/** A session whose step has begun. */
export interface BegunStep {
  /** Has the status from before the step. */
  session: SessionModel;
  /** Milliseconds since the first failure of the step; 0 if it has not failed in this run. */
  waitedMs: number;
  hasTranscript: boolean;
  /** True if `session.conversation` is omitted because it is large. */
  isLarge: boolean;
  /** The current alerts of the assistant; null: none. */
  alerts: StoredAlert[] | null;
  /** The current follow-ups of the assistant; null: none. */
  follow_ups: FollowUp[] | null;
}

/**
 * Begins a step and returns its session. Returns undefined, and changes nothing, if the session has ended, is deleted, uses
 * one of the providers in `full`, or has a large conversation although `acceptsLarge` is false.
 */
export async function beginStep(
  id: string,
  step: Step,
  full: readonly ProviderName[] = [],
  acceptsLarge = true,
): Promise<BegunStep | undefined> {
  const status = STATUS_OF_STEP[step];
  const [row] = await runPrepared<Omit<BegunStep, 'session'>>(
    `update sessions set status = :status, check_after = now() + interval '5 minutes'
     from (select status as status_before from sessions where id = :id) as before
     where id = :id and status = any(cast(:from as text[])) and (${PROVIDER_OF[step]}) <> all (cast(:full as text[]))
       and (cast(:acceptsLarge as boolean) or ${SIZE} <= :large)
     returning ${STEP_COLUMNS}, status_before as status, transcript is not null as "hasTranscript",
       ${SIZE} > :large as "isLarge", case when ${SIZE} <= :large then conversation end as conversation,
       coalesce(extract(epoch from now() - cast(waiting ->> 'since' as timestamptz)) * 1000, 0) as "waitedMs",
       (select alerts from assistants where assistants.id = sessions.assistant_id) as alerts,
       (select follow_ups from assistants where assistants.id = sessions.assistant_id) as follow_ups`,
    { id, status, from: [...ALLOWED_FROM[status]], full: [...full], acceptsLarge, large: LARGE_CONVERSATION_BYTES },
  );
  if (!row) return undefined;
  const { waitedMs, hasTranscript, isLarge, alerts, follow_ups, ...columns } = row;
  return { session: SessionModel.fromDatabaseJson(columns), waitedMs, hasTranscript, isLarge, alerts, follow_ups };
}

interface UnbegunStep {
  status: SessionStatus;
  hasEnded: boolean;
  provider: ProviderName;
}

/** Returns why `beginStep` returned undefined, or undefined if the session is deleted. */
export async function findUnbegunStep(id: string, step: Step): Promise<UnbegunStep | undefined> {
  const [row] = await runPrepared<UnbegunStep>(
    `select status, completed_at is not null as "hasEnded", ${PROVIDER_OF[step]} as provider from sessions where id = :id`,
    { id },
  );
  return row;
}

interface FinishOptions {
  /** The call that returned the result, if it is not closed yet. */
  call?: ClosedCall | undefined;
  /** Stored if the assistant has a webhook for the event. */
  delivery?: { id: string; event: SessionEvent; payload: string };
  alerts?: NewAlert[];
  /** What searches find; default: reads it. */
  texts?: Omit<SearchedTexts, 'summary_text'>;
  from?: readonly SessionStatus[];
  trx?: TransactionOrKnex;
}

/** A delivery of `session.alert` in its own workflow. */
export interface NewAlert {
  id: string;
  /** Name of the alert. */
  alert: string;
  payload: string;
}

interface FinishedSession {
  /** null: the assistant has no webhook for the event. */
  delivery_id: string | null;
  /** Whether deliveries of alerts were stored. */
  has_alerts: boolean;
}

/**
 * Ends a session and notifies requests that wait for it. Returns undefined if the session had ended before: then only the
 * call is stored.
 * @param options.from the statuses that the session may have; default: those that the table allows.
 */
export async function finishSession(
  id: string,
  { field_rows = [], ...end }: SessionEnd & { field_rows?: FieldRow[] },
  { call, delivery, alerts = [], texts, from = ALLOWED_FROM[end.status], trx }: FinishOptions = {},
): Promise<FinishedSession | undefined> {
  const searched = texts ?? (await SessionModel.query(trx).select('metadata', 'conversation').findById(id));
  const summary_text = end.status === 'completed' ? end.summary_text : null;
  const [finished] = await runPrepared<FinishedSession>(
    FINISH,
    {
      id,
      call: call === undefined ? null : JSON.stringify(call),
      end: JSON.stringify(end),
      field_rows: JSON.stringify(field_rows),
      metadata: JSON.stringify(searched?.metadata ?? {}),
      words: searched ? searchedWords({ ...searched, summary_text }) : '',
      from: [...from],
      deliveryId: delivery?.id ?? null,
      event: delivery?.event ?? null,
      payload: delivery?.payload ?? null,
      alerts: alerts.length === 0 ? null : JSON.stringify(alerts),
    },
    trx,
  );
  if (!finished && call) await runPrepared(ADD_LATE_COST, [id], trx);
  return finished && { delivery_id: finished.delivery_id, has_alerts: finished.has_alerts };
}

/** Cancels a session that has not begun a step. Returns false, and changes nothing, if it has. */
export async function cancelQueuedSession(id: string): Promise<boolean> {
  return (await finishSession(id, { status: 'canceled' }, { from: UNBEGUN_SESSION_STATUSES })) !== undefined;
}

/** Stores the recording of a session, deletes its URL and queues the session. Returns false if it has another status. */
export async function queueFetched(id: string, audio: StoredAudio, trx?: TransactionOrKnex): Promise<boolean> {
  const rows = await runPrepared(
    `with fetched as (delete from audio_sources where id = :id)
     update sessions set status = 'queued', queued_at = now(), check_after = now() + interval '1 minute', audio = :audio,
       audio_source = audio_source || jsonb_build_object('bytes_received', cast(:bytes as bigint),
         'bytes_total', cast(:bytes as bigint), 'last_failure', null, 'status_code', null, 'next_attempt_at', null)
     where id = :id and status = 'fetching' returning id`,
    { id, audio: JSON.stringify(audio), bytes: audio.bytes },
    trx,
  );
  return rows.length === 1;
}

/** A condition: there is what the failed session needs to run again. */
export const CAN_RUN_AGAIN = `(sessions.type <> 'voice' or audio is not null or transcript is not null
  or exists (select from audio_sources source where source.id = sessions.id))`;

/**
 * Queues a failed session again, or fetches its recording again. Returns undefined, and changes nothing, if the session has
 * another status, or if there is neither its recording, nor a transcript, nor a URL.
 * @param run the columns in which the new run differs: a batch may wait for its provider.
 */
export async function requeueSession(
  id: string,
  run: Pick<SessionModel, 'batch_id'> & Partial<Pick<SessionModel, 'on_provider_outage' | 'audio_source'>> = {
    batch_id: null,
  },
  trx?: TransactionOrKnex,
): Promise<SessionModel | undefined> {
  const ended = "jsonb_build_object('queued_at', queued_at, 'ended_at', completed_at)";
  const [row] = await SessionModel.query(trx)
    .patch({
      audio_source: SessionModel.raw(
        `audio_source || '{"attempts": 0, "failing_since": null, "next_attempt_at": null}'`,
      ) as never,
      ...run,
      status: SessionModel.raw(
        "case when type = 'voice' and audio is null and transcript is null then 'fetching' else 'queued' end",
      ) as never,
      error: null,
      completed_at: null,
      queued_at: now(),
      check_after: inMs(60_000),
      waiting: null,
      earlier_runs: SessionModel.raw(`earlier_runs || ${ended}`) as never,
    })
    .where({ id })
    .whereIn('status', [...ALLOWED_FROM.fetching])
    .whereRaw(CAN_RUN_AGAIN)
    .returning(['*', SessionModel.raw(PAYER) as never]);
  return row;
}

/** Fetches the recording of a failed session from another URL. Returns undefined, and changes nothing, if it has another status. */
export function refetchSession(
  id: string,
  { audio_source, sealed }: Pick<SessionModel, 'audio_source'> & { sealed: string },
): Promise<SessionModel | undefined> {
  return SessionModel.transaction(async (trx) => {
    const failed = SessionModel.query(trx).select('id').findOne({ id, status: 'failed' }).forUpdate();
    if (!(await failed.whereRaw("error ->> 'stage' = 'fetch'"))) return undefined;
    await AudioSourceModel.query(trx).insert({ id, sealed }).onConflict('id').merge();
    return requeueSession(id, { batch_id: null, audio_source }, trx);
  });
}
