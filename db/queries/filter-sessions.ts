/** Filters the sessions of a workspace. */
import type { QueryBuilder } from 'objection';
import { TypeID } from 'typeid-js';
import type { BatchFilter } from '../../contract/sessions/batches.ts';
import { UNFINISHED_SESSION_STATUSES, type SessionStatus } from '../../contract/values/constants.ts';
import type { ReviewFilter } from '../../contract/values/session-lists.ts';
import type { SessionModel } from '../models/session.ts';
import { whereGiven } from '../page.ts';
import { filterByFields, type KnownFilter } from './filter-by-fields.ts';

/** The filter of a list or a batch, with its conditions on fields of one assistant. */
export type SessionFilter = Omit<BatchFilter, 'q' | 'field' | DeliveryCondition> & {
  fields?: readonly KnownFilter[] | undefined;
};

type DeliveryCondition = 'delivery_id' | 'delivery_ended_after' | 'delivery_ended_before';

export type Sessions = QueryBuilder<SessionModel, SessionModel[]>;

/** When a conversation took place. @param table the name of `sessions` in the statement. */
export const OCCURRED = (table: string) => `coalesce(${table}.occurred_at, ${table}.created_at)`;

/** A range of IDs: `from` is inclusive, `before` exclusive. */
interface IdRange {
  from?: string | undefined;
  before?: string | undefined;
}

export function filterSessions(
  query: Sessions,
  workspaceId: string,
  filter: SessionFilter,
  range: IdRange = {},
): Sessions {
  const { created_after, created_before, delivery_status, metadata = {}, min_cost, fields = [], ...rest } = filter;
  const { session_id, reanalysis, error_code, completed_after, completed_before, review, corrected, ...named } = rest;
  const { waiting_for, updated_after, occurred_after, occurred_before, values, ...exact } = named;
  const { assistant_id, status } = exact;
  const answers = filterByFields(query, fields, values);
  // The joined field rows belong to the assistant already: see `OWNED`.
  if (answers) delete exact.assistant_id;
  whereGiven(query, { created_after, created_before, ...exact });
  if (session_id) query.whereIn('sessions.id', [...session_id]);
  if (reanalysis !== undefined) query.whereRaw(`source_session_id is ${reanalysis ? 'not ' : ''}null`);
  if (waiting_for) query.whereNull('completed_at').whereRaw("waiting ->> 'provider' = ?", [waiting_for]);
  if (error_code) query.where({ status: 'failed' }).whereRaw(FAILED_WITH, [error_code]);
  // These conditions follow from the status. They let the planner use partial indexes.
  if (UNFINISHED.has(status)) query.whereNull('completed_at');
  else if (error_code || status === 'failed' || status === 'canceled') query.whereNull('summary_text');
  if (review) query.whereRaw(REVIEWED[review], [workspaceId]);
  if (corrected !== undefined) query.whereRaw(reviewed('and ? = any(corrected)'), [workspaceId, corrected]);
  if (completed_after) query.where('completed_at', '>=', completed_after);
  if (completed_before) query.where('completed_at', '<', completed_before);
  if (occurred_after) query.whereRaw(`${OCCURRED('sessions')} >= ?`, [occurred_after]);
  if (occurred_before) query.whereRaw(`${OCCURRED('sessions')} < ?`, [occurred_before]);
  if (updated_after) query.whereRaw(CHANGED_SINCE, [workspaceId, updated_after]);
  if (Object.keys(metadata).length > 0) query.whereRaw(LABELED, [JSON.stringify(metadata)]);
  if (min_cost !== undefined) query.where('total_cost', '>=', min_cost);
  // A conversation is submitted at most a day before it takes place.
  const earliest = [
    created_after && idNear(created_after, -DAY_MS),
    occurred_after && idNear(occurred_after, -2 * DAY_MS),
  ];
  const from = [range.from, ...earliest].filter((id) => id !== undefined);
  // A session ends after its submission.
  const latest = [created_before, completed_before].flatMap((time) => (time ? [idNear(time, DAY_MS)] : []));
  const before = [range.before, ...latest].filter((id) => id !== undefined);
  // The planner reads the index of the column that the range limits.
  const id = answers ?? (delivery_status === undefined ? 'sessions.id' : 'latest.session_id');
  for (const bound of from) query.where(id, '>=', bound);
  for (const bound of before) query.where(id, '<', bound);
  if (delivery_status !== undefined) query.joinRaw(LATEST_DELIVERY, [workspaceId, delivery_status]);
  if (answers) return query.whereRaw(OWNED, [workspaceId]);
  if (delivery_status === undefined) return query.where({ workspace_id: workspaceId });
  const isFew =
    assistant_id !== undefined || error_code !== undefined || (status !== undefined && status !== 'completed');
  return isFew ? query.where({ workspace_id: workspaceId }) : query.whereRaw(OWNED, [workspaceId]);
}

const UNFINISHED = new Set<SessionStatus | undefined>(UNFINISHED_SESSION_STATUSES);

/**
 * The same as `workspace_id = ?`, for rows joined with deliveries or fields of the workspace. The planner would assume that
 * both conditions are independent, expect few rows, and read all of them instead of one page.
 */
const OWNED = 'case when workspace_id = ? then true else false end';

/** With the workspace, the planner reads few reviews. `condition` may name columns of reviews that sessions do not have. */
const reviewed = (condition = '') =>
  `exists (select from session_reviews review where review.session_id = sessions.id and review.workspace_id = ? ${condition})`;

const REVIEWABLE = "sessions.status = 'completed' and sessions.source_session_id is null";

const SECOND = 'from second_opinions second where second.session_id = review.session_id';

const REVIEWED: Record<ReviewFilter, string> = {
  reviewed: reviewed(),
  unreviewed: `${REVIEWABLE} and not ${reviewed()}`,
  corrected: reviewed('and (cardinality(corrected) > 0 or review.summary_text is not null)'),
  sampled: reviewed('and sampled'),
  single: reviewed(`and sampled and not exists (select ${SECOND})`),
  disputed: reviewed(
    `and exists (select ${SECOND} and cardinality(second.differing) > 0 and second.decided_by is null)`,
  ),
  // Without speech, no model is asked.
  unsampled: `${REVIEWABLE} and sessions.turn_count is distinct from 0 and not ${reviewed('and sampled')}`,
};

const FAILED_WITH = "sessions.error ->> 'code' = ?";

const CHANGED_SINCE = `exists (
  select from session_changes change
  where change.session_id = sessions.id and change.workspace_id = ? and not change.deleted and change.updated_at >= ?
)`;

const LABELED = 'sessions.metadata @> ?::jsonb';

const LATEST_DELIVERY = `join (
  select session_id from deliveries delivery
  where workspace_id = ? and status = ? and alert is null and not exists (
    select from deliveries later
    where later.session_id = delivery.session_id and later.alert is null and later.id > delivery.id
  )
) latest on latest.session_id = sessions.id`;

export const DAY_MS = 24 * 3_600_000;

/**
 * Returns a session ID for this time, to limit the part of an index that a list reads. An ID is created up to an hour before
 * its row, while a recording is uploaded, so callers add a margin of a day.
 */
export function idNear(time: string, offsetMs: number): string {
  const ms = Math.min(Math.max(Date.parse(time) + offsetMs, 0), 2 ** 48 - 1);
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(ms) << 16n);
  return TypeID.fromUUIDBytes('sess', bytes).toString();
}
