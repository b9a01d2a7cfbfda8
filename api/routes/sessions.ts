import { getSession, listSessions } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ApiError } from '../http/api-error.ts';
import { handle } from '../http/handle.ts';
import { presentSession, presentSessions } from '../presenters/session.ts';

const DEFAULT_PAGE = 50;

export const sessionRoutes = () => [
  handle(listSessions, async ({ query: { limit = DEFAULT_PAGE, cursor }, userId }) => {
    const { rows, next_cursor } = await SessionModel.findOwnedPage(userId, { limit, cursor });
    return { data: await presentSessions(rows), next_cursor };
  }),

  handle(getSession, async ({ params, userId }) => {
    const row = await SessionModel.findOwned(userId, params.id);
    if (!row) throw new ApiError('not_found', 'No session of yours has this id.');
    return presentSession(row);
  }),
];
