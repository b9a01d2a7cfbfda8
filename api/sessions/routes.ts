import {
  countSessions as countSessionsEndpoint,
  exportSessions as exportSessionsEndpoint,
  listDeletedSessions,
} from '../../contract/sessions/session-filter.ts';
import * as operations from '../../contract/sessions/session-operations.ts';
import { getSessionAudio } from '../../contract/sessions/recording.ts';
import { getSession, listSessions } from '../../contract/sessions/sessions.ts';
import { getSessionCall, getSessionTimeline } from '../../contract/sessions/timeline.ts';
import { MAX_METADATA_GROUPS } from '../../contract/values/metadata-group.ts';
import { formatOf } from '../../contract/sessions/turns.ts';
import { getSessionTranscript } from '../../contract/sessions/transcripts.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionChangeModel } from '../../db/models/session-change.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { countSessions, findSessionPage } from '../../db/queries/list-sessions.ts';
import { groupSessions } from '../../db/queries/group-sessions.ts';
import { isCursorOf } from '../../db/queries/sort-sessions.ts';
import { addDetails, addSessionDetails } from '../../db/queries/session-details.ts';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, requireFound } from '../errors.ts';
import { creatorOf, limitKeyOf, requireScope } from '../guard/authenticate.ts';
import { DEFAULT_PAGE, handle, presentCount, presentPage } from '../http/handle.ts';
import { Reply } from '../reply.ts';
import { analyzeSession } from './analyze-session.ts';
import { replyWithAudio } from './audio.ts';
import { cancelSession, deleteSession, patchMetadata, retrySession, setRoles, trySession } from './commands.ts';
import { exportSessions } from './export-sessions.ts';
import { findHits } from './find-hits.ts';
import { presentTimeline } from './present-timeline.ts';
import { presentProviderCall, presentSessionListItem } from '../runs/present.ts';
import { findSession, replyWithSession, showSession, showSessionAtEnd } from '../runs/read-session.ts';
import { estimateReanalysis, reanalyzeSession } from './reanalyze-session.ts';
import { runSession } from '../runs/run-session.ts';
import { readGroup, readSessionFilter } from './session-filter.ts';
import { replyWithTranscript } from './transcript.ts';

/** Throws unless the export's format has what the query asks for. */
function requireExportable({
  format,
  include = [],
  sort,
  cursor,
  assistant_id,
}: EndpointInput<typeof exportSessionsEndpoint>['query']): void {
  const hasColumns = include.includes('fields') || include.includes('review');
  if (hasColumns && format === 'csv' && assistant_id === undefined) {
    throw invalidAt('include', 'required:requires', { other: '`assistant_id`' });
  }
  const large = include.filter((name) => name !== 'fields' && name !== 'review');
  if (large.length > 0 && format !== 'jsonl') {
    throw invalidAt('include', 'only_for:format', { what: large.join(', ') });
  }
  if (sort && format !== 'jsonl') throw invalidAt('sort', 'only_for:format', { what: '`sort`' });
  if (cursor && !sort) throw invalidAt('cursor', 'required:requires', { other: '`sort`' });
  requireOrder({ sort, cursor });
}

export const sessionRoutes = (deps: ApiDeps) => [...listRoutes(deps), ...actionRoutes(deps)];

const listRoutes = (deps: ApiDeps) => [
  handle(
    listSessions,
    async ({ query: { limit = DEFAULT_PAGE, cursor, sort, seed, include = [], ...query }, workspaceId }) => {
      requireOrder({ sort, seed, cursor });
      const filter = await readSessionFilter(workspaceId, query);
      const page = { limit, cursor, sort, seed, withFields: include.includes('fields') };
      const { rows, next_cursor } = await findSessionPage(workspaceId, filter, page);
      const data = (await addSessionDetails(rows)).map(presentSessionListItem);
      if (query.q === undefined || !include.includes('hit')) return { data, next_cursor };
      const hits = await findHits(
        query.q,
        rows.map(({ id }) => id),
      );
      return { data: data.map((item, index) => ({ ...item, hit: hits[index] ?? null })), next_cursor };
    },
  ),

  handle(countSessionsEndpoint, async ({ query: { group_by, ...query }, workspaceId }) => {
    const filter = await readSessionFilter(workspaceId, query);
    const by = group_by === undefined ? undefined : await readGroup(workspaceId, group_by, query.assistant_id);
    const count = await presentCount((most) => countSessions(workspaceId, filter, most));
    return by ? { ...count, groups: await groupSessions(workspaceId, filter, by, MAX_METADATA_GROUPS) } : count;
  }),

  handle(listDeletedSessions, async ({ query: { deleted_after, limit = DEFAULT_PAGE, cursor }, workspaceId }) => {
    requireOrder({ sort: 'updated_at', cursor });
    return presentPage(
      await SessionChangeModel.findDeleted(workspaceId, deleted_after, { limit, cursor }),
      ({ id: session_id, updated_at }) => ({ session_id, deleted_at: updated_at.toISOString() }),
    );
  }),

  handle(exportSessionsEndpoint, async ({ query, isHead, signal, ...caller }) => {
    const { format, include = [], timezone, delimiter, sort, cursor, ...filter } = query;
    const { workspaceId } = caller;
    requireExportable(query);
    const options = { sort, cursor, format, isHead, key: limitKeyOf(caller), include, timezone, delimiter, signal };
    return exportSessions(deps, workspaceId, await readSessionFilter(workspaceId, filter), options);
  }),

  handle(getSession, async ({ params: { id }, query: { wait = 0, reveal }, workspaceId, signal, ...caller }) => {
    if (reveal === 'true') requireScope(caller, 'sessions:reveal', 'reveal');
    const timeoutMs = Math.min(wait * 1_000, deps.config.http.waitMs);
    return showSessionAtEnd(deps, { workspaceId, id }, { timeoutMs, signal, isRevealed: reveal === 'true' });
  }),

  handle(getSessionAudio, async ({ params: { id }, workspaceId, headers, isHead, signal }) => {
    const { audio } = await findSession(workspaceId, id);
    return replyWithAudio(deps, audio, { ...headers, signal, isHead });
  }),

  handle(getSessionTimeline, async ({ params: { id }, workspaceId }) => {
    const session = await findSession(workspaceId, id);
    const [calls, deliveries] = await Promise.all([
      ProviderCallModel.findOfSession(id),
      DeliveryModel.findTimesOfSession(id),
    ]);
    const { skipped_follow_ups } = session;
    return {
      data: presentTimeline(session, calls, deliveries),
      next_cursor: null,
      ...formatOf(session.conversation),
      ...(skipped_follow_ups && { skipped_follow_ups }),
    };
  }),

  handle(getSessionCall, async ({ params: { id, call_id }, workspaceId }) => {
    const session = await findSession(workspaceId, id);
    return presentProviderCall(
      requireFound(await ProviderCallModel.findByCallId(session.id, call_id), 'provider call'),
    );
  }),

  handle(getSessionTranscript, async ({ params: { id }, query: { format = 'json' }, workspaceId }) =>
    replyWithTranscript(await findSession(workspaceId, id), format),
  ),
];

const actionRoutes = (deps: ApiDeps) => [
  handle(operations.updateSession, async ({ params: { id }, workspaceId, body: { metadata } }) =>
    showSession(deps, await patchMetadata(workspaceId, id, metadata)),
  ),

  handle(operations.cancelSession, async ({ params: { id }, workspaceId, signal }) => {
    const { ended } = await cancelSession(deps, { workspaceId, id }, signal);
    return async () => {
      await ended;
      return replyWithSession(deps, await addDetails(await findSession(workspaceId, id)));
    };
  }),

  handle(operations.retrySession, async ({ params: { id }, workspaceId, headers: { prefer }, body, signal }) =>
    runSession(deps, await retrySession(deps, await findSession(workspaceId, id), body), { prefer, signal }),
  ),

  handle(operations.trySession, async ({ params: { id }, workspaceId, body }) => {
    await trySession(deps, await findSession(workspaceId, id), body?.fallback ?? false);
    return showSession(deps, await findSession(workspaceId, id));
  }),

  handle(operations.reanalyzeSession, async ({ params: { id }, headers: { prefer }, body, signal, ...caller }) => {
    const { dry_run, trial, ...overrides } = body;
    const source = await findSession(caller.workspaceId, id);
    if (dry_run) return estimateReanalysis(deps, source, overrides);
    const choice = { overrides, trial, created_by: creatorOf(caller) };
    return runSession(deps, await reanalyzeSession(deps, source, choice), { prefer, signal });
  }),

  handle(operations.analyzeSession, async ({ params: { id }, workspaceId, body: { assistant_id }, ...caller }) => {
    requireScope(caller, 'sessions:read');
    const first = await findSession(workspaceId, id);
    const row = await analyzeSession(deps, first, { assistant_id, created_by: creatorOf(caller) });
    return showSession(deps, row);
  }),

  handle(operations.setSessionRoles, async ({ params: { id }, workspaceId, body: { map } }) =>
    showSession(deps, await setRoles(await findSession(workspaceId, id), map)),
  ),

  handle(operations.deleteSession, async ({ params: { id }, workspaceId }) => {
    const follow_ups = await deleteSession(deps, await findSession(workspaceId, id));
    return new Reply(undefined, { audited: follow_ups > 0 ? { follow_ups } : {} });
  }),
];

type Order = Partial<Pick<EndpointInput<typeof listSessions>['query'], 'sort' | 'seed' | 'cursor'>>;

/** Throws `validation_failed` if the cursor or the seed belongs to another order. */
function requireOrder({ sort, seed, cursor }: Order): void {
  if (seed !== undefined && sort !== 'random') throw invalidAt('seed', 'required:requires', { other: '`sort=random`' });
  if (cursor !== undefined && !isCursorOf(sort, cursor)) throw invalidAt('cursor', 'combined:sort');
}
