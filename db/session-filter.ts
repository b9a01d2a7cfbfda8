/** Which of a user's sessions a list shows. */
import type { QueryBuilder } from 'objection';
import { TypeID } from 'typeid-js';
import type { AssistantType, DeliveryStatus, SessionStatus } from '../contract/constants.ts';
import type { SessionModel } from './models/session.ts';

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
  /** As a person writes it into a web search: words, "phrases", or, -not. */
  q?: string | undefined;
}

type Sessions = QueryBuilder<SessionModel, SessionModel[]>;

export function filterSessions(query: Sessions, userId: string, filter: SessionFilter): Sessions {
  const { status, type, assistant_id, created_after, created_before, delivery_status, q } = filter;
  query.where({
    user_id: userId,
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(assistant_id !== undefined && { assistant_id }),
  });
  if (created_after) query.where('created_at', '>=', created_after).where('id', '>=', idNear(created_after, -DAY_MS));
  if (created_before) query.where('created_at', '<', created_before).where('id', '<', idNear(created_before, DAY_MS));
  if (delivery_status !== undefined) query.whereRaw(LATEST_DELIVERY, [userId, delivery_status]);
  if (q !== undefined) {
    const words = q.replaceAll(REPEATED_NOT, '');
    query.whereRaw(FOUND, [words, userId, words]);
  }
  return query;
}

const LATEST_DELIVERY = `sessions.id in (
  select session_id from deliveries d
  where user_id = ? and status = ? and not exists (
    select from deliveries later where later.session_id = d.session_id and later.id > d.id
  )
)`;

/** A query without a word in it finds nothing. */
const FOUND = `sessions.id in (
  select session_id from session_words
  where words @@ (websearch_to_tsquery('simple', ?) && quote_literal(?)::tsquery)
    and numnode(websearch_to_tsquery('simple', ?)) > 0
)`;

/** PostgreSQL 18 gives up ("tsquery stack too small") on 32 in a row. */
const REPEATED_NOT = /(?<![\p{L}\p{M}\p{N}])-(?=[^\p{L}\p{M}\p{N}]*-)/gu;

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
