import type { CostItem, Turn } from '../../contract/sessions/sessions.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { SESSION_REVIEW } from '../models/session-review.ts';
import type { SessionReview } from '../../contract/reviews/reviews.ts';
import { SessionModel } from '../models/session.ts';
import { LISTED_COLUMNS } from './list-sessions.ts';
import { readRows, runPrepared } from '../statements.ts';
import { addUpCosts, COST_COLUMNS, ProviderCallModel, type SessionCost } from '../models/provider-call.ts';

/** A session with the data of other tables that every response contains. */
export interface DetailedSession {
  row: SessionModel;
  cost: SessionCost;
  /** The latest delivery. */
  delivery: Pick<DeliveryModel, 'id' | 'status' | 'next_attempt_at'> | undefined;
  /** Number of older queued sessions of the workspace, up to `MAX_COUNTED`. Not read for lists. */
  ahead?: number;
  /** What the provider said about the call that failed the session. Not read for lists. */
  providerMessage?: string | null;
}

/** Adds costs and deliveries with two queries for all sessions. */
export async function addSessionDetails(rows: readonly SessionModel[]): Promise<DetailedSession[]> {
  const ids = rows.map((row) => row.id);
  const [costs, deliveries] = await Promise.all([ProviderCallModel.findCosts(ids), DeliveryModel.findLatest(ids)]);
  return rows.map((row) => ({ row, cost: costs.get(row.id) ?? addUpCosts([]), delivery: deliveries.get(row.id) }));
}

export async function addDetails(row: SessionModel): Promise<DetailedSession> {
  const rows = await readRows<[{ ahead: number; review: SessionReview | null; message: string | null }]>(
    `select ${AHEAD} as ahead, ${SESSION_REVIEW} as review, ${MESSAGE} as message from sessions where id = ?`,
    [row.id],
  );
  const [detailed] = await addSessionDetails([row.$set({ review: rows[0]?.review ?? null })]);
  return { ...(detailed as DetailedSession), ahead: rows[0]?.ahead ?? 0, providerMessage: rows[0]?.message ?? null };
}

const MAX_COUNTED = 10_000;

const AHEAD = `(select cast(count(*) as int) from (
    select from sessions other where other.workspace_id = sessions.workspace_id and other.completed_at is null
      and other.id < sessions.id and other.status = 'queued' and sessions.status = 'queued' limit ${MAX_COUNTED}
  ) older)`;

/** Of the last call of the step that failed, if it was one to the provider that the error names. */
const MESSAGE = `(select provider_message from provider_calls made
    where made.session_id = sessions.id and made.step = sessions.error ->> 'stage'
      and made.provider = sessions.error ->> 'provider' and made.started_at >= sessions.queued_at
    order by attempt desc limit 1)`;

/** Every column of a single session's response except `conversation`. */
const SHOWN_COLUMNS = [
  ...LISTED_COLUMNS,
  'transcript',
  'roles',
  'person_roles',
  'redaction',
  'raw_response',
  'left_out',
  'assistant',
  'audio',
  'audio_source',
];

const COST_ITEMS = `(select json_agg(item) from (
    select step, provider, model, ${COST_COLUMNS} from provider_calls where session_id = sessions.id
    group by step, provider, model order by step desc
  ) item) as cost_items`;

const LATEST_DELIVERY = `(select row_to_json(latest) from (
    select id, status, next_attempt_at from deliveries where session_id = sessions.id and alert is null order by id desc limit 1
  ) latest) as latest_delivery`;

/** Times in JSON are text. */
interface ReadDetails {
  ahead: number;
  cost_items: CostItem[] | null;
  latest_delivery: (Pick<DeliveryModel, 'id' | 'status'> & { next_attempt_at: string | null }) | null;
}

const read = (columns: readonly string[]) =>
  `select ${columns.join(', ')}, ${COST_ITEMS}, ${LATEST_DELIVERY}, ${AHEAD} as ahead from sessions where id = :id`;

const READ = read(SHOWN_COLUMNS);
const READ_WITH_CONVERSATION = read([...SHOWN_COLUMNS, 'conversation']);

/**
 * Returns a session with its details, in one statement.
 * @param conversation the session's conversation, if the caller has it, so that it is not read.
 */
export async function findDetailedSession(id: string, conversation?: Turn[]): Promise<DetailedSession | undefined> {
  const [row] = await runPrepared<object>(conversation ? READ : READ_WITH_CONVERSATION, { id });
  if (!row) return undefined;
  const found = SessionModel.fromDatabaseJson(row) as SessionModel & ReadDetails;
  const { cost_items, latest_delivery: latest } = found;
  const next_attempt_at = latest?.next_attempt_at == null ? null : new Date(latest.next_attempt_at);
  return {
    row: conversation ? found.$set({ conversation }) : found,
    ahead: found.ahead,
    cost: addUpCosts(cost_items ?? []),
    delivery: latest ? { ...latest, next_attempt_at } : undefined,
  };
}
