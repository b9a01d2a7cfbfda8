/** The items of a batch: the sessions or deliveries that it started. */
import type { Transaction } from 'objection';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import type { BatchAction } from '../../contract/values/constants.ts';
import { BatchModel } from '../models/batch.ts';
import type { DeliveryModel } from '../models/delivery.ts';
import { SessionModel } from '../models/session.ts';
import { PAID_WITH } from '../models/workspace.ts';
import { beginDeliveries, settleDeliveries } from './batch-deliveries.ts';
import { findSources } from './batch-sources.ts';
import { insertCopies, type Copied } from './reanalysis.ts';
import { scoreSessions } from './score-sessions.ts';
import { requeueSession } from './session-status.ts';

/** A session whose workflow must be started. */
export type Begun = Omit<Copied, 'source_session_id'>;

/** Returns the number of unfinished sessions of the batches of all workspaces of the owner. */
export function countUnderWay(workspaceId: string, trx: Transaction): Promise<number> {
  return SessionModel.query(trx)
    .whereRaw(PAID_WITH, workspaceId)
    .whereNotNull('batch_id')
    .whereNull('completed_at')
    .resultSize();
}

/**
 * Counts the items that have ended since the last call, with their cost since the batch was created. A session that failed
 * because the budget was reached has not ended, unless the batch is being canceled: it is retried later.
 */
export async function settleItems({ id, action, status }: BatchModel, trx: Transaction): Promise<void> {
  if (action === 'redeliver') return settleDeliveries(id, trx);
  const isDeletion = action === 'delete';
  await trx.raw(
    `with ended as (
       update batch_items item set outcome = coalesce(found.status, :gone)
       from batch_items open left join sessions found on found.id = open.session_id
       where open.batch_id = :id and open.outcome is null and item.batch_id = :id
         and item.source_session_id = open.source_session_id
         and (found.id is null or not :isDeletion and found.completed_at is not null)
         and (:isCanceled or (found.error ->> 'code') is distinct from 'budget_exceeded')
       returning item.session_id, item.outcome)
     update batches set
       completed = completed + (select count(*) from ended where outcome = 'completed'),
       failed = failed + (select count(*) from ended where outcome = 'failed'),
       canceled = canceled + (select count(*) from ended where outcome = 'canceled'),
       cost_usd = cost_usd + (select coalesce(sum(call.cost_usd), 0) from ended
         join provider_calls call on call.session_id = ended.session_id and call.started_at >= batches.created_at)
     where id = :id`,
    // A deletion is completed when the session no longer exists.
    { id, isDeletion, isCanceled: status !== 'running', gone: isDeletion ? 'completed' : 'canceled' },
  );
}

/** Queues up to `limit` sessions of a batch again that failed because the budget was reached. */
export async function resumeUnpaid(batch: BatchModel, limit: number, trx: Transaction): Promise<Begun[]> {
  const stopped = await SessionModel.query(trx)
    .select('id')
    .where({ batch_id: batch.id, status: 'failed' })
    .whereRaw("error ->> 'code' = 'budget_exceeded'")
    .orderBy('id')
    .limit(limit);
  return requeueAll(batch, stopped, trx);
}

/** Starts the batch's action on up to `limit` of the next sources. Returns the rows whose workflow must be started. */
export async function beginItems(
  batch: BatchModel,
  limit: number,
  trx: Transaction,
): Promise<(Begun | DeliveryModel)[]> {
  const { action } = batch;
  if (action === 'redeliver') return beginDeliveries(batch, limit, trx);
  const sources = await findSources(batch, trx)
    .select('sessions.id', 'workspace_id', 'assistant_id', 'type', 'status')
    .where('sessions.id', '>', batch.last_id)
    .orderBy('sessions.id')
    .limit(limit);
  const last = sources.at(-1);
  if (!last) return [];
  const begun = await BEGIN[action](batch, sources, trx);
  const items = begun.map(({ id, source_session_id }) => [batch.id, source_session_id, id]);
  if (items.length > 0) {
    const rows = items.map(() => '(?, ?, ?)').join(', ');
    await trx.raw(`insert into batch_items (batch_id, source_session_id, session_id) values ${rows}`, items.flat());
  }
  const place = { last_id: last.id, begun: batch.begun + items.length };
  await BatchModel.query(trx).findById(batch.id).patch(place);
  return ['reanalyze', 'retry', 'analyze'].includes(action) ? begun : [];
}

const asItem = (session: Begun): Copied => ({ ...session, source_session_id: session.id });

type SessionAction = Exclude<BatchAction, 'redeliver'>;

const BEGIN: Record<
  SessionAction,
  (batch: BatchModel, sources: SessionModel[], trx: Transaction) => Promise<Copied[]>
> = {
  reanalyze: insertSessions,
  analyze: insertSessions,
  retry: async (batch, sources, trx) => (await requeueAll(batch, sources, trx)).map(asItem),
  delete: async (_, sources) => sources.map(asItem),
  cancel: async (_, sources) => sources.map(asItem),
  score: async (batch, sources, trx) => (await scoreSessions(batch, sources, trx)).map(asItem),
};

async function requeueAll(batch: BatchModel, sessions: SessionModel[], trx: Transaction): Promise<Begun[]> {
  const requeued: Begun[] = [];
  for (const { id } of sessions) {
    const row = await requeueSession(id, { batch_id: batch.id, on_provider_outage: 'wait' }, trx);
    if (row) requeued.push(row);
  }
  return requeued;
}

function insertSessions(batch: BatchModel, sources: SessionModel[], trx: Transaction): Promise<Copied[]> {
  const { id: batch_id, action, assistant_version, simulated, created_by } = batch;
  const kind = action === 'analyze' ? 'follow-ups' : 'reanalyses';
  const ids = sources.map(({ id }) => id);
  const settings = batch.settings as FrozenAssistant;
  const copy = { settings, assistant_version, simulated, on_provider_outage: 'wait', batch_id, created_by } as const;
  return insertCopies(kind, ids, copy, trx);
}
