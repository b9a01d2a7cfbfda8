import type { Session } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { addDetails } from '../../db/queries/session-details.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import type { ApiDeps } from '../deps.ts';
import { requireFound } from '../errors.ts';
import { Reply } from '../http/handle.ts';
import { presentSession } from './present.ts';

/** Returns the session, or throws `not_found`. */
export const findSession = async (workspaceId: string, id: string): Promise<SessionModel> =>
  requireFound(await SessionModel.findOwned(workspaceId, id), 'session');

/** Returns the session as the API presents it. */
export async function showSession(deps: Pick<ApiDeps, 'config'>, row: SessionModel): Promise<Session> {
  return presentSession(await addDetails(row), deps.config.audio);
}

/** Returns the session if it has ended, or a function that waits up to `timeoutMs` for its end. */
export async function showSessionAtEnd(
  deps: Pick<ApiDeps, 'config' | 'waits'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<Session | (() => Promise<Session>)> {
  const wait = deps.waits.begin(id, options);
  const row = await findSession(workspaceId, id);
  if (options.timeoutMs === 0 || row.completed_at !== null) return showSession(deps, row);
  return async () => {
    await wait.ended;
    return showSession(deps, await findSession(workspaceId, id));
  };
}

/** Returns a response with the session: 200 if it has ended, otherwise 202. */
export function replyWithSession(
  { config }: Pick<ApiDeps, 'config'>,
  session: DetailedSession,
  headers: Record<string, string> = {},
): Reply<Session> {
  const status = session.row.completed_at === null ? 202 : 200;
  return new Reply(presentSession(session, config.audio), { status, headers });
}
