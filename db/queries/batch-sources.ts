/** What a batch processes: the sessions that match its filter and to which its action applies, or their deliveries. */
import type { QueryBuilder, TransactionOrKnex } from 'objection';
import type { BatchFilter } from '../../contract/sessions/batches.ts';
import type { BatchModel } from '../models/batch.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { SessionModel } from '../models/session.ts';
import { countUpTo, whereGiven } from '../page.ts';
import { now } from '../statements.ts';
import type { Sessions } from './filter-sessions.ts';
import { selectSessions, type ListedFilter } from './list-sessions.ts';
import { CAN_RUN_AGAIN } from './session-status.ts';

type Wanted = Pick<BatchModel, 'workspace_id' | 'action' | 'conditions'> &
  Partial<Pick<BatchModel, 'created_at' | 'settings'>>;

/**
 * Selects the sessions, without columns and order. Excludes sessions submitted after the batch. Reanalyses are not reanalyzed,
 * because a second trial would double the first.
 */
export function findSources(
  { workspace_id, action, conditions, created_at, settings }: Wanted,
  trx?: TransactionOrKnex,
): Sessions {
  const query = selectSessions(SessionModel.query(trx), workspace_id, conditions as ListedFilter);
  if (created_at) query.where('sessions.created_at', '<=', created_at);
  if (action !== 'analyze' || !settings) return query.whereRaw(FITTING[action]);
  return query.whereRaw(FITTING[action], { assistant: settings.id });
}

const FITTING: Record<BatchModel['action'], string> = {
  reanalyze: 'sessions.completed_at is not null and sessions.turn_count is not null and source_session_id is null',
  retry: `sessions.status = 'failed' and error ->> 'retryable' = 'true' and ${CAN_RUN_AGAIN}`,
  delete: 'true',
  redeliver: 'true',
  cancel: 'sessions.completed_at is null',
  analyze: `sessions.completed_at is not null and sessions.turn_count is not null and sessions.source_session_id is null
    and sessions.first_session_id is null and sessions.assistant_id <> :assistant
    and not exists (select from sessions other where other.first_session_id = sessions.id and other.assistant_id = :assistant)`,
  score: `sessions.status = 'completed' and exists (select from session_fields answer where answer.session_id = sessions.id)`,
};

/**
 * Selects the deliveries to redeliver. Excludes those that ended after the
 * batch was created, reports of failed deliveries, and those whose payload was sent again later: their latest redelivery is
 * included if it has ended.
 */
export function findDeliveries(
  { conditions, ...batch }: Wanted,
  trx?: TransactionOrKnex,
): QueryBuilder<DeliveryModel, DeliveryModel[]> {
  const {
    delivery_id,
    delivery_status: status,
    delivery_ended_after,
    delivery_ended_before,
    ...filter
  } = conditions as ListedFilter & BatchFilter;
  const { workspace_id, created_at = now() } = batch;
  const query = whereGiven(DeliveryModel.query(trx), { workspace_id, status }).whereNot('event', 'delivery.failed');
  if (delivery_ended_after) query.where('ended_at', '>=', delivery_ended_after);
  if (delivery_ended_before) query.where('ended_at', '<', delivery_ended_before);
  if (delivery_id) query.whereIn('id', delivery_id);
  const sessions = findSources({ ...batch, conditions: filter }, trx).select('sessions.id');
  const later = DeliveryModel.query(trx).alias('later').select(1).whereRaw(SENT_LATER);
  return query.whereIn('session_id', sessions).where('ended_at', '<=', created_at).whereNotExists(later);
}

/** SQL: a later redelivery of the same payload, with the alias `later`, exists. */
export const SENT_LATER = `later.replayed_from = coalesce(deliveries.replayed_from, deliveries.id)
  and (later.created_at, later.id) > (deliveries.created_at, deliveries.id)`;

/** Counts what a batch would process, at most `most`. */
export const countSources = (batch: Wanted, most: number): Promise<number> =>
  batch.action === 'redeliver'
    ? countUpTo(findDeliveries(batch).select('id'), most)
    : countUpTo(findSources(batch).select('sessions.id'), most);

/** Returns whether the batch has anything left to start. */
export async function isAnyLeft(batch: BatchModel, trx: TransactionOrKnex): Promise<boolean> {
  const { last_id } = batch;
  const next =
    batch.action === 'redeliver'
      ? findDeliveries(batch, trx).select('id').where('id', '>', last_id)
      : findSources(batch, trx).select('sessions.id').where('sessions.id', '>', last_id);
  return (await next.limit(1)).length > 0;
}
