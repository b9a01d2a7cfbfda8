import type { Session } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import type { ApiDeps } from '../deps.ts';
import { Reply } from '../http/handle.ts';
import { presentSession } from '../presenters/session.ts';

/** Returns the session as the API shows it. */
export async function showSession(deps: Pick<ApiDeps, 'config'>, row: SessionModel): Promise<Session> {
  const [detailed] = await addSessionDetails([row]);
  return presentSession(detailed as DetailedSession, deps.config.audio);
}

/** Returns an answer with the session: 200 when it has ended, 202 as long as it is under way. */
export async function replyWithSession(
  deps: Pick<ApiDeps, 'config'>,
  row: SessionModel,
  headers: Record<string, string> = {},
): Promise<Reply<Session>> {
  return new Reply(await showSession(deps, row), { status: row.completed_at === null ? 202 : 200, headers });
}
