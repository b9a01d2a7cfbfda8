/** Limits that all workspaces of an owner share, and what counts for them. */
import type { TransactionOrKnex } from 'objection';
import { SessionModel } from '../models/session.ts';
import { PAID_WITH } from '../models/workspace.ts';
import { countUpTo } from '../page.ts';
import { inSnapshot, runPrepared } from '../statements.ts';
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

type Stored = Pick<SessionModel, 'payer' | 'status'>;

/**
 * Stores a new session and returns it. A reanalysis takes the conversation from its source. Returns undefined, and changes
 * nothing, if the ID exists, the source does not exist, or the workspaces of the owner have reached a
 * limit. Concurrent calls may exceed the limits, except that of recordings in one workspace.
 * @param sealed the URL of a session that is fetched, or the encrypted originals of a redacted conversation.
 */
export async function insertSession(
  row: Partial<SessionModel> & Pick<SessionModel, 'workspace_id'>,
  { openSessions, textBytes, audioBytes }: SessionLimits,
  sealed?: string,
): Promise<Stored | undefined> {
  const json = SessionModel.fromJson(row, { skipValidation: true }).$toDatabaseJson();
  const columns = Object.keys(json);
  const { audio, source_session_id: source } = row;
  const merged: Partial<Record<string, (value: string) => string>> = source ? MERGED : {};
  const values = columns.map((name) => merged[name]?.('?') ?? '?');
  const copied = source ? COPIED : {};
  const secrets = row.status === 'fetching' ? 'audio_sources (id, sealed)' : 'session_originals (id, originals)';
  const [stored] = await runPrepared<Stored>(
    `with shared as materialized (select payer, paid_with(?, payer) as ids from payer_of(?) payer), stored as (
       insert into sessions (${[...columns.map(() => '??'), ...Object.keys(copied)].join(', ')})
       select ${[...values, ...Object.values(copied)].join(', ')} ${source ? 'from sessions source where source.id = ? and' : 'where'}
         (select count(*) from (select from sessions
           where workspace_id = any((select ids from shared)::text[]) and completed_at is null limit ?) open_ones) < ?
         and ${BYTES('stored_texts', '(select ids from shared)::text[]')} < cast(? as numeric)
         ${audio ? `and lock_recordings(?, (select ids from shared)) + ? <= cast(? as numeric)` : ''}
       on conflict (id) do nothing returning id, status, (select payer from shared))
     ${sealed === undefined ? '' : `, secret as (insert into ${secrets} select id, ? from stored)`}
     select status, payer from stored`,
    [
      ...[row.workspace_id, row.workspace_id, ...columns, ...(Object.values(json) as string[])],
      ...(source ? [source] : []),
      ...[openSessions, openSessions, textBytes],
      ...(audio ? [row.workspace_id, audio.bytes, audioBytes] : []),
      ...(sealed === undefined ? [] : [sealed]),
    ],
  );
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

/** Recordings per statement of a correction, far from the statement timeout. */
const COUNTED_AT_ONCE = 100_000;

/** Sums the sizes of recordings of sessions that ended after a time. Sessions that ended at the same time are in one sum. */
const NEXT_SUM = `select sum(audio_bytes) as bytes, max(completed_at) as until from (
  select audio_bytes, completed_at from sessions
  where workspace_id = ? and audio is not null and completed_at > cast(? as timestamptz)
  order by completed_at fetch first ? rows with ties) counted`;

interface NextSum {
  /** null: no recordings are left. */
  bytes: number | null;
  until: Date | null;
}

/**
 * Corrects the counter of a workspace's recordings, and returns the bytes that were missing. One snapshot shows the recordings
 * and the counter, and the difference is added, so changes meanwhile are not lost.
 */
export async function correctAudioBytes(workspaceId: string, atOnce = COUNTED_AT_ONCE): Promise<number> {
  const missing = await inSnapshot(async (trx) => {
    // The index has the order of the steps. With outdated statistics, each step might read and sort all recordings.
    await trx.raw('set local enable_sort = off');
    const [open] = await runPrepared<{ missing: number }>(
      `select coalesce(sum(audio_bytes), 0) - coalesce((select bytes from stored_recordings where workspace_id = ?), 0) as missing
       from sessions where workspace_id = ? and audio is not null and completed_at is null`,
      [workspaceId, workspaceId],
      trx,
    );
    let missing = open?.missing ?? 0;
    let until: Date | string | null = '-infinity';
    while (until !== null) {
      const next: NextSum[] = await runPrepared(NEXT_SUM, [workspaceId, until, atOnce], trx);
      missing += next[0]?.bytes ?? 0;
      until = next[0]?.until ?? null;
    }
    return missing;
  });
  if (missing !== 0) {
    await SessionModel.knex().raw(
      `insert into stored_recordings as total (workspace_id, bytes)
       select id, cast(:missing as bigint) from workspaces where id = :workspaceId
       on conflict (workspace_id) do update set bytes = total.bytes + excluded.bytes`,
      { missing, workspaceId },
    );
  }
  return missing;
}
