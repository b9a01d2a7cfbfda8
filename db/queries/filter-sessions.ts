/** Which of a user's sessions a list shows. */
import type { QueryBuilder } from 'objection';
import { TypeID } from 'typeid-js';
import type { AssistantType, DeliveryStatus, SessionStatus } from '../../contract/constants.ts';
import type { SessionModel } from '../models/session.ts';

export interface SessionFilter {
  status?: SessionStatus | undefined;
  type?: AssistantType | undefined;
  assistant_id?: string | undefined;
  /** From this moment on. */
  created_after?: Date | undefined;
  /** Before this moment. */
  created_before?: Date | undefined;
  /** Of the session's latest delivery. */
  delivery_status?: DeliveryStatus | undefined;
  llm_model?: string | undefined;
  simulated?: boolean | undefined;
  source_session_id?: string | undefined;
}

export type Sessions = QueryBuilder<SessionModel, SessionModel[]>;

/** Ids from the first on, before the second. */
export interface IdRange {
  from?: string | undefined;
  before?: string | undefined;
}

export interface FilterOptions {
  range?: IdRange;
  /** The range leaves few sessions, so that it matters little in which order the planner takes what. */
  isNarrow?: boolean;
}

export function filterSessions(
  query: Sessions,
  userId: string,
  filter: SessionFilter,
  { range = {}, isNarrow = false }: FilterOptions = {},
): Sessions {
  const { created_after, created_before, delivery_status, ...exact } = filter;
  const { assistant_id, status } = exact;
  for (const [column, value] of Object.entries(exact)) if (value !== undefined) query.where(column, value);
  if (created_after) query.where('created_at', '>=', created_after);
  if (created_before) query.where('created_at', '<', created_before);
  const from = [range.from, created_after && idNear(created_after, -DAY_MS)].filter((id) => id !== undefined);
  const before = [range.before, created_before && idNear(created_before, DAY_MS)].filter((id) => id !== undefined);
  // What the range is said of, the planner walks along.
  const id = delivery_status === undefined ? 'sessions.id' : 'latest.session_id';
  for (const bound of from) query.where(id, '>=', bound);
  for (const bound of before) query.where(id, '<', bound);
  if (delivery_status === undefined) return query.where({ user_id: userId });
  query.joinRaw(LATEST_DELIVERY, [userId, delivery_status]);
  const isFew = isNarrow || assistant_id !== undefined || (status !== undefined && status !== 'completed');
  return isFew ? query.where({ user_id: userId }) : query.whereRaw(OWNED, [userId]);
}

/**
 * `user_id = ?`, where the deliveries are the user's already. The planner would take the two for independent, expect next
 * to nothing, and read all that there is instead of one page of it.
 */
const OWNED = 'case when user_id = ? then true else false end';

const LATEST_DELIVERY = `join (
  select session_id from deliveries delivery
  where user_id = ? and status = ? and not exists (
    select from deliveries later where later.session_id = delivery.session_id and later.id > delivery.id
  )
) latest on latest.session_id = sessions.id`;

const DAY_MS = 24 * 3_600_000;

/**
 * Ids begin with the time at which they were made: up to an hour before the row was, while its recording was uploaded.
 * The bound lies a day off, for clocks that differ, and only keeps the list from walking through years.
 */
function idNear(time: Date, offsetMs: number): string {
  const ms = Math.min(Math.max(time.getTime() + offsetMs, 0), 2 ** 48 - 1);
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(ms) << 16n);
  return TypeID.fromUUIDBytes('sess', bytes).toString();
}
