import { getSession, getSessionAudio, listSessions } from '../../contract/sessions.ts';
import { exportSessions as exportSessionsEndpoint } from '../../contract/session-export.ts';
import { findSessionPage } from '../../db/queries/list-sessions.ts';
import { addSessionDetails } from '../../db/queries/session-details.ts';
import { answerWithAudio } from '../answers/answer-with-audio.ts';
import { exportSessions } from '../answers/export-sessions.ts';
import { showSession } from '../answers/show-session.ts';
import { findSession, findSessionAtEnd } from '../lookups/find-session.ts';
import { readSessionFilter } from '../lookups/session-filter.ts';
import type { ApiDeps } from '../deps.ts';
import { invalid } from '../errors.ts';
import { handle } from '../http/handle.ts';
import { presentSessionListItem } from '../presenters/session.ts';

const DEFAULT_PAGE = 50;

export const sessionRoutes = (deps: ApiDeps) => [
  handle(listSessions, async ({ query, userId }) => {
    const { limit = DEFAULT_PAGE, cursor, include, ...filter } = query;
    const page = { limit, cursor, withFields: include === 'fields' };
    const { rows, next_cursor } = await findSessionPage(userId, await readSessionFilter(userId, filter), page);
    return { data: (await addSessionDetails(rows)).map(presentSessionListItem), next_cursor };
  }),

  handle(exportSessionsEndpoint, async ({ query: { format, include, ...filter }, userId, isHead }) => {
    const withFields = include === 'fields';
    const { assistant_id } = filter;
    if (withFields && format === 'csv' && assistant_id === undefined) {
      throw invalid({ path: 'include', message: 'needs `assistant_id`, whose fields are the columns' });
    }
    return exportSessions(userId, await readSessionFilter(userId, filter), { format, isHead, withFields });
  }),

  handle(getSession, async ({ params: { id }, query: { wait = 0 }, userId, signal, endTurn }) => {
    const waitMs = Math.min(wait * 1_000, deps.config.http.waitMs);
    return showSession(deps, await findSessionAtEnd(deps, { userId, id }, { waitMs, signal, endTurn }));
  }),

  handle(getSessionAudio, async ({ params, userId, headers, isHead, signal }) => {
    const row = await findSession({ userId, id: params.id });
    return answerWithAudio(deps, row.audio, { ...headers, signal, isHead });
  }),
];
