import type { Session } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { addDetails } from '../../db/queries/session-details.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import type { ApiDeps } from '../deps.ts';
import { Reply } from '../http/handle.ts';
import { presentSession } from '../presenters/session.ts';

/** Returns the session as the API shows it. */
export async function showSession(deps: Pick<ApiDeps, 'config'>, row: SessionModel): Promise<Session> {
  return presentSession(await addDetails(row), deps.config.audio);
}

/** Returns an answer with the session: 200 when it has ended, 202 as long as it is under way. */
export function replyWithSession(
  { config }: Pick<ApiDeps, 'config'>,
  session: DetailedSession,
  headers: Record<string, string> = {},
): Reply<Session> {
  const status = session.row.completed_at === null ? 202 : 200;
  return new Reply(presentSession(session, config.audio), { status, headers });
}
