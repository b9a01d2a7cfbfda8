/** Limits that all workspaces of an owner share, and what counts for them. */
import type { TransactionOrKnex } from 'objection';
import { SessionModel } from '../models/session.ts';
import { PAID_WITH } from '../models/workspace.ts';
import { countUpTo } from '../page.ts';
import { runPrepared } from '../statements.ts';
import { COPIED, MERGED } from './reanalysis.ts';

/** Limits of all workspaces of an owner together. */
export interface SessionLimits {
  /** Unfinished sessions. */
  openSessions: number;
  /** Size of stored conversations. */
  textBytes: number;
  /** Size of stored recordings. */
  audioBytes: number;
}

const BYTES = (table: 'stored_texts' | 'stored_recordings', workspaces: string) =>
  `coalesce((select sum(bytes) from ${table} where workspace_id = any (${workspaces})), 0)`;

/** What a new session may set. A reanalysis takes the conversation from its source. */
export type NewSession = Pick<
  SessionModel,
  'id' | 'workspace_id' | 'assistant_id' | 'type' | 'assistant' | 'simulated'
> &
  Partial<
    Pick<SessionModel, 'status' | 'assistant_version' | 'audio' | 'audio_source' | 'conversation' | 'metadata'> & {
      /** ISO 8601. */
      occurred_at?: string | undefined;
    } & Pick<SessionModel, 'redaction' | 'source_session_id' | 'on_provider_outage' | 'trial' | 'created_by'>
  >;

/** `case` prevents the lock for sessions without a recording. */
const INSERT = `
  with given as (select * from json_populate_record(cast(null as sessions), cast(:row as json))),
  shared as materialized (
    select payer, paid_with(workspace_id, payer) as ids from given cross join lateral payer_of(workspace_id) payer),
  stored as (
    insert into sessions (id, workspace_id, assistant_id, type, status, assistant, assistant_version, simulated, trial,
      audio, audio_source, transcript, conversation, metadata, redaction, roles, person_roles,
      source_session_id, first_session_id, on_provider_outage, created_by, occurred_at)
    select given.id, given.workspace_id, given.assistant_id, given.type, coalesce(given.status, 'queued'),
      case when source.id is null then given.assistant else ${MERGED.assistant('given.assistant')} end,
      given.assistant_version, ${MERGED.simulated('given.simulated')}, coalesce(given.trial, false),
      given.audio, given.audio_source, ${COPIED.transcript}, coalesce(given.conversation, ${COPIED.conversation}),
      coalesce(given.metadata, ${COPIED.metadata}), coalesce(given.redaction, ${COPIED.redaction}), ${COPIED.roles},
      ${COPIED.person_roles}, given.source_session_id, ${COPIED.first_session_id}, given.on_provider_outage, given.created_by,
      coalesce(given.occurred_at, ${COPIED.occurred_at})
    from given left join sessions source on source.id = given.source_session_id
    where (source.id is not null or given.source_session_id is null)
      and (select count(*) from (select from sessions
        where workspace_id = any((select ids from shared)::text[]) and completed_at is null limit :openSessions) open_ones)
        < :openSessions
      and ${BYTES('stored_texts', '(select ids from shared)::text[]')} < cast(:textBytes as numeric)
      and case when given.audio is null then true else lock_recordings(given.workspace_id, (select ids from shared))
        + cast(given.audio ->> 'bytes' as numeric) <= cast(:audioBytes as numeric) end
    on conflict (id) do nothing returning id, status),
  fetched as (
    insert into audio_sources (id, sealed)
    select id, :sealed from stored where status = 'fetching' and cast(:sealed as text) is not null),
  redacted as (
    insert into session_originals (id, originals)
    select id, :sealed from stored where status <> 'fetching' and cast(:sealed as text) is not null)
  select status, payer from stored cross join shared`;

/**
 * Stores a new session and returns it. Returns undefined, and changes nothing, if the ID exists, the source does not exist,
 * or the workspaces of the owner have reached a limit. Concurrent calls may exceed the limits, except that of recordings in
 * one workspace.
 * @param sealed the URL of a session that is fetched, or the encrypted originals of a redacted conversation.
 */
export async function insertSession(
  row: NewSession,
  limits: SessionLimits,
  sealed?: string,
): Promise<Pick<SessionModel, 'payer' | 'status'> | undefined> {
  const [stored] = await runPrepared<Pick<SessionModel, 'payer' | 'status'>>(INSERT, {
    row: JSON.stringify(row),
    sealed: sealed ?? null,
    ...limits,
  });
  return stored;
}

/** Counts the unfinished sessions of all workspaces of the owner, up to `limit`. */
export function countOpenSessions(workspaceId: string, limit: number): Promise<number> {
  return countUpTo(SessionModel.query().select('id').whereRaw(PAID_WITH, workspaceId).whereNull('completed_at'), limit);
}

/** Returns the size of the conversations of all workspaces of the owner, in bytes. */
export const sumTextBytes = (workspaceId: string) => sumBytes('stored_texts', workspaceId);

/** Returns the size of the recordings of all workspaces of the owner, in bytes. */
export const sumAudioBytes = (workspaceId: string, options?: { payer?: string | undefined; trx?: TransactionOrKnex }) =>
  sumBytes('stored_recordings', workspaceId, options);

async function sumBytes(
  table: 'stored_texts' | 'stored_recordings',
  workspaceId: string,
  { payer, trx }: { payer?: string | undefined; trx?: TransactionOrKnex } = {},
) {
  const [row] = await runPrepared<{ bytes: number }>(
    `select cast(${BYTES(table, 'paid_with(?, ?)')} as float8) as bytes`,
    [workspaceId, payer ?? null],
    trx,
  );
  return row?.bytes ?? 0;
}
