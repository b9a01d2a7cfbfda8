/** The downloads of recordings by URL. Each statement changes nothing unless the session has the status `fetching`. */
import type { FetchFailure } from '../../contract/sessions/audio-source.ts';
import { sumAudioBytes } from './owner-limits.ts';
import { SessionModel, type StoredAudio } from '../models/session.ts';
import { WorkspaceModel } from '../models/workspace.ts';
import { runPrepared } from '../statements.ts';
import { queueFetched } from './session-status.ts';

export interface Fetch {
  session: Pick<SessionModel, 'id' | 'workspace_id' | 'assistant'> & {
    audio_source: { host: string; file_name: string };
    channels_required: boolean;
  };
  /** null: the URL was removed. */
  sealed: string | null;
}

/** Returns the session to fetch the recording of, or undefined if it has another status or is deleted. */
export async function findFetch(id: string): Promise<Fetch | undefined> {
  const [row] = await runPrepared<Fetch['session'] & { sealed: string | null }>(
    `select sessions.id, workspace_id, assistant, audio_source, sealed,
       coalesce((select channels_required from assistants where id = sessions.assistant_id), false) as channels_required
     from sessions left join audio_sources source on source.id = sessions.id
     where sessions.id = :id and status = 'fetching'`,
    { id },
  );
  if (!row) return undefined;
  const { sealed, ...session } = row;
  return { session, sealed };
}

export interface BegunFetch {
  /** Number of the attempt in this run. */
  attempt: number;
  /** Milliseconds since the first failure of the run; 0: none. */
  failingMs: number;
}

/** Counts an attempt. Returns undefined if the session is no longer fetched. */
export async function beginFetch(id: string): Promise<BegunFetch | undefined> {
  const [begun] = await change<BegunFetch>(
    id,
    `jsonb_build_object('attempts', cast(audio_source ->> 'attempts' as int) + 1, 'next_attempt_at', null,
       'bytes_received', 0, 'bytes_total', null)`,
    {},
    `cast(audio_source ->> 'attempts' as int) as attempt,
     coalesce(extract(epoch from now() - cast(audio_source ->> 'failing_since' as timestamptz)) * 1000, 0) as "failingMs"`,
  );
  return begun;
}

/** Stores how much has arrived. Returns false if the session is no longer fetched. */
export async function storeProgress(id: string, received: number, total: number | null): Promise<boolean> {
  const progress = `jsonb_build_object('bytes_received', cast(:received as bigint), 'bytes_total', cast(:total as bigint))`;
  return (await change(id, progress, { received, total })).length === 1;
}

interface FailedFetch {
  failure: FetchFailure;
  statusCode: number | null;
  /** null: there is no other attempt. */
  delayMs: number | null;
}

export async function storeFailure(id: string, { failure, statusCode, delayMs }: FailedFetch): Promise<void> {
  await change(
    id,
    `jsonb_build_object('last_failure', cast(:failure as text), 'status_code', cast(:statusCode as int),
       'failing_since', coalesce(audio_source ->> 'failing_since', cast(now() as text)),
       'next_attempt_at', now() + cast(:delayMs as float8) * interval '1 millisecond')`,
    { failure, statusCode, delayMs },
  );
}

function change<T>(id: string, members: string, values: Record<string, string | number | null>, returned = 'id') {
  return runPrepared<T>(
    `update sessions set check_after = now() + interval '15 minutes', audio_source = audio_source || ${members}
     where id = :id and status in ('fetching') returning ${returned}`,
    { id, ...values },
  );
}

/**
 * Stores the recording and queues the session. Returns `full`, and stores nothing, if the recordings of the workspace would
 * exceed `maxStoredBytes`, and `ended` if the session is no longer fetched.
 */
export function storeFetched(
  { id, workspace_id }: Fetch['session'],
  audio: StoredAudio,
  maxStoredBytes: number,
): Promise<'stored' | 'full' | 'ended'> {
  return SessionModel.transaction(async (trx) => {
    await WorkspaceModel.lock(workspace_id, trx);
    if ((await sumAudioBytes(workspace_id, { trx })) + audio.bytes > maxStoredBytes) return 'full';
    return (await queueFetched(id, audio, trx)) ? 'stored' : 'ended';
  });
}
