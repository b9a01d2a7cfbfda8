import { getSession, getSessionAudio, listSessions } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { answerWithAudio } from '../commands/answer-with-audio.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { handle } from '../http/handle.ts';
import { presentSession, presentSessions } from '../presenters/session.ts';

const DEFAULT_PAGE = 50;

export const sessionRoutes = (deps: ApiDeps) => [
  handle(listSessions, async ({ query: { limit = DEFAULT_PAGE, cursor }, userId }) => {
    const { rows, next_cursor } = await SessionModel.findOwnedPage(userId, { limit, cursor });
    return { data: await presentSessions(rows), next_cursor };
  }),

  handle(getSession, async ({ params, userId }) => {
    const row = await SessionModel.findOwned(userId, params.id);
    if (!row) throw new ApiError('not_found', 'No session of yours has this id.');
    return presentSession(row);
  }),

  handle(getSessionAudio, async ({ params, userId, headers, request }) => {
    const row = await SessionModel.findOwned(userId, params.id);
    if (!row) throw new ApiError('not_found', 'No session of yours has this id.');
    return answerWithAudio(deps, row.audio, { ...headers, isHead: request.method === 'HEAD' });
  }),
];
