/** Narrows a query to those sessions of a user that a list shows. */
import type { QueryBuilder } from 'objection';
import { TypeID } from 'typeid-js';
import type { AssistantType, DeliveryStatus, SessionStatus } from '../../contract/constants.ts';
import type { SessionModel } from '../models/session.ts';
import { filterByFields } from './filter-by-fields.ts';
import type { FieldFilter } from './filter-by-fields.ts';

export interface SessionFilter {
  status?: SessionStatus | undefined;
  type?: AssistantType | undefined;
  assistant_id?: string | undefined;
  /** The earliest `created_at`, inclusive. */
  created_after?: Date | undefined;
  /** The latest `created_at`, exclusive. */
  created_before?: Date | undefined;
  /** Status of the session's latest delivery. */
  delivery_status?: DeliveryStatus | undefined;
  llm_model?: string | undefined;
  simulated?: boolean | undefined;
  trial?: boolean | undefined;
  source_session_id?: string | undefined;
  batch_id?: string | undefined;
  /** Pairs that the session's metadata has, all of them. */
  metadata?: Record<string, string> | undefined;
  /** The least cost in US dollars, inclusive. */
  min_cost?: number | undefined;
  assistant_version?: number | undefined;
  /** What is asked of the answers to fields; these are of one assistant. */
  fields?: readonly FieldFilter[] | undefined;
}

export type Sessions = QueryBuilder<SessionModel, SessionModel[]>;

/** A range of ids: `from` is inclusive, `before` exclusive. */
export interface IdRange {
  from?: string | undefined;
  before?: string | undefined;
}

export function filterSessions(query: Sessions, userId: string, filter: SessionFilter, range: IdRange = {}): Sessions {
  const { created_after, created_before, delivery_status, metadata = {}, min_cost, fields = [], ...exact } = filter;
  const { assistant_id, status } = exact;
  const answers = filterByFields(query, fields);
  // The planner would not know that these answers are of this assistant's sessions: see `OWNED`.
  if (answers) delete exact.assistant_id;
  for (const [column, value] of Object.entries(exact)) if (value !== undefined) query.where(column, value);
  if (created_after) query.where('created_at', '>=', created_after);
  if (created_before) query.where('created_at', '<', created_before);
  if (Object.keys(metadata).length > 0) query.whereRaw(LABELED, [userId, JSON.stringify(metadata)]);
  if (min_cost !== undefined) query.where('total_cost', '>=', min_cost);
  const from = [range.from, created_after && idNear(created_after, -DAY_MS)].filter((id) => id !== undefined);
  const before = [range.before, created_before && idNear(created_before, DAY_MS)].filter((id) => id !== undefined);
  // The planner walks along the index of the column that the range bounds.
  const id = answers ?? (delivery_status === undefined ? 'sessions.id' : 'latest.session_id');
  for (const bound of from) query.where(id, '>=', bound);
  for (const bound of before) query.where(id, '<', bound);
  if (delivery_status !== undefined) query.joinRaw(LATEST_DELIVERY, [userId, delivery_status]);
  if (answers) return query.whereRaw(OWNED, [userId]);
  if (delivery_status === undefined) return query.where({ user_id: userId });
  const isFew = assistant_id !== undefined || (status !== undefined && status !== 'completed');
  return isFew ? query.where({ user_id: userId }) : query.whereRaw(OWNED, [userId]);
}

/**
 * Means `user_id = ?` where the deliveries or answers are the user's already. The planner would take the two conditions for
 * independent, expect next to no rows, and read all of them instead of one page.
 */
const OWNED = 'case when user_id = ? then true else false end';

/** Written with the words of the index, on both sides. */
const LABELED = 'metadata_labels(sessions.user_id, sessions.metadata) @> metadata_labels(?, ?::json)';

const LATEST_DELIVERY = `join (
  select session_id from deliveries delivery
  where user_id = ? and status = ? and not exists (
    select from deliveries later where later.session_id = delivery.session_id and later.id > delivery.id
  )
) latest on latest.session_id = sessions.id`;

export const DAY_MS = 24 * 3_600_000;

/**
 * Returns an id to bound a list by time with. Ids begin with the time at which they were made, up to an hour before the
 * row was, while its recording was uploaded. The offset of a day allows for that and for clocks that differ; the bound
 * only keeps the list from walking through years.
 */
export function idNear(time: Date, offsetMs: number): string {
  const ms = Math.min(Math.max(time.getTime() + offsetMs, 0), 2 ** 48 - 1);
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(ms) << 16n);
  return TypeID.fromUUIDBytes('sess', bytes).toString();
}
