/** Limits that all workspaces of an owner share, and what counts for them. */
import type { TransactionOrKnex } from 'objection';
import { SessionModel } from '../models/session.ts';
import { PAID_WITH, PAYER, WorkspaceModel } from '../models/workspace.ts';
import { countUpTo } from '../page.ts';

/** Limits of all workspaces of an owner together. */
export interface SessionLimits {
  /** Unfinished sessions. */
  openSessions: number;
  /** Size of stored conversations. */
  textBytes: number;
  /** Size of stored recordings. */
  audioBytes: number;
}

const TEXT_BYTES = (workspaces: string) =>
  `coalesce((select sum(bytes) from stored_texts where workspace_id = any (${workspaces})), 0)`;

type Stored = Pick<SessionModel, 'payer' | 'status'>;

/**
 * Stores a new session and returns it. Returns undefined, and changes nothing, if the ID exists or the workspaces of the owner
 * have reached a limit. Concurrent calls may exceed the limits, except that of recordings in one workspace.
 * @param sealed the URL of a session that is fetched, or the encrypted originals of a redacted conversation.
 */
export async function insertSession(
  row: Partial<SessionModel> & Pick<SessionModel, 'workspace_id'>,
  limits: SessionLimits,
  sealed?: string,
): Promise<Stored | undefined> {
  if (!row.audio) return insertRow(row, limits, sealed);
  return SessionModel.transaction(async (trx) => {
    await WorkspaceModel.query(trx).select('id').findById(row.workspace_id).forNoKeyUpdate();
    return insertRow(row, limits, sealed, trx);
  });
}

const AUDIO_BYTES = `coalesce((select sum(audio_bytes) from sessions
  where workspace_id = any((select ids from shared)::text[]) and audio is not null), 0)`;

async function insertRow(
  row: Partial<SessionModel>,
  { openSessions, textBytes, audioBytes }: SessionLimits,
  sealed: string | undefined,
  trx = SessionModel.knex(),
): Promise<Stored | undefined> {
  const json = SessionModel.fromJson(row, { skipValidation: true }).$toDatabaseJson();
  const columns = Object.keys(json);
  const secrets = row.status === 'fetching' ? 'audio_sources (id, sealed)' : 'session_originals (id, originals)';
  const { rows } = await trx.raw<{ rows: Stored[] }>(
    `with shared as materialized (select paid_with(?) as ids), stored as (
       insert into sessions (${columns.map(() => '??').join(', ')}) select ${columns.map(() => '?').join(', ')}
       where (select count(*) from (select from sessions
           where workspace_id = any((select ids from shared)::text[]) and completed_at is null limit ?) open_ones) < ?
         and ${TEXT_BYTES('(select ids from shared)::text[]')} < cast(? as numeric)
         ${row.audio ? `and ${AUDIO_BYTES} + ? <= cast(? as numeric)` : ''}
       on conflict (id) do nothing returning id, status, ${PAYER})
     ${sealed === undefined ? '' : `, secret as (insert into ${secrets} select id, ? from stored)`}
     select status, payer from stored`,
    [
      ...[row.workspace_id ?? '', ...columns, ...(Object.values(json) as string[])],
      ...[openSessions, openSessions, textBytes, ...(row.audio ? [row.audio.bytes, audioBytes] : [])],
      ...(sealed === undefined ? [] : [sealed]),
    ],
  );
  return rows[0];
}

/** Counts the unfinished sessions of all workspaces of the owner, up to `limit`. */
export function countOpenSessions(workspaceId: string, limit: number): Promise<number> {
  return countUpTo(SessionModel.query().select('id').whereRaw(PAID_WITH, workspaceId).whereNull('completed_at'), limit);
}

/** Returns the size of the conversations of all workspaces of the owner, in bytes. */
export async function sumTextBytes(workspaceId: string): Promise<number> {
  const { rows } = await SessionModel.knex().raw<{ rows: [{ bytes: number }] }>(
    `select cast(${TEXT_BYTES('paid_with(?)')} as float8) as bytes`,
    [workspaceId],
  );
  return rows[0].bytes;
}

/** Returns the size of the recordings of all workspaces of the owner, in bytes. */
export async function sumAudioBytes(workspaceId: string, trx?: TransactionOrKnex): Promise<number> {
  const [row] = await SessionModel.query(trx)
    .sum('audio_bytes as bytes')
    .whereRaw(PAID_WITH, workspaceId)
    .whereNotNull('audio')
    .castTo<{ bytes: number | null }[]>();
  return row?.bytes ?? 0;
}
