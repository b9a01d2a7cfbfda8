/** Reads the present states of rows that were announced as changed. */
import type { ServerEvent } from '../../contract/events.ts';
import { BatchModel } from '../models/batch.ts';
import { DeliveryAttemptModel } from '../models/delivery-attempt.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { RedeliveryModel } from '../models/redelivery.ts';
import { SessionModel } from '../models/session.ts';
import { VendorCallModel } from '../models/vendor-call.ts';

/**
 * Returns one event for each row that is still there.
 * @param ids of sessions, deliveries, redeliveries and batches of this user, in any order.
 */
export async function readChangedStates(userId: string, ids: readonly string[]): Promise<ServerEvent[]> {
  const of = (prefix: string) => ids.filter((id) => id.startsWith(prefix));
  const events = await Promise.all([
    readSessions(userId, of('sess_')),
    readDeliveries(userId, of('dlv_')),
    readRedeliveries(userId, of('rdl_')),
    readBatches(userId, of('bat_')),
  ]);
  return events.flat();
}

async function readSessions(userId: string, ids: string[]): Promise<ServerEvent[]> {
  if (ids.length === 0) return [];
  const [rows, costs] = await Promise.all([
    SessionModel.query()
      .select('id', 'status', 'assistant_id', 'completed_at')
      .whereIn('id', ids)
      .where({ user_id: userId }),
    VendorCallModel.findCosts(ids),
  ]);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = found.get(id);
    return {
      event: 'session',
      data: {
        session_id: id,
        status: row?.status ?? 'deleted',
        assistant_id: row?.assistant_id ?? null,
        total_cost: costs.get(id)?.total_cost ?? 0,
        completed_at: row?.completed_at?.toISOString() ?? null,
      },
    };
  });
}

async function readDeliveries(userId: string, ids: string[]): Promise<ServerEvent[]> {
  if (ids.length === 0) return [];
  const attempt = DeliveryAttemptModel.query().whereColumn('delivery_id', 'deliveries.id').max('attempt');
  const rows = await DeliveryModel.query()
    .select('id', 'session_id', 'status', 'next_attempt_at', attempt.as('attempt'))
    .whereIn('id', ids)
    .where({ user_id: userId })
    .castTo<(DeliveryModel & { attempt: number | null })[]>();
  return rows.map(({ id, session_id, status, next_attempt_at, attempt: latest }) => ({
    event: 'delivery',
    data: {
      ...{ delivery_id: id, session_id, status, attempt: latest ?? 0 },
      next_attempt_at: next_attempt_at?.toISOString() ?? null,
    },
  }));
}

async function readRedeliveries(userId: string, ids: string[]): Promise<ServerEvent[]> {
  if (ids.length === 0) return [];
  const rows = await RedeliveryModel.query().whereIn('id', ids).where({ user_id: userId });
  return rows.map(({ id, status, total, started }) => ({
    event: 'redelivery',
    data: { redelivery_id: id, status, total, started },
  }));
}

async function readBatches(userId: string, ids: string[]): Promise<ServerEvent[]> {
  if (ids.length === 0) return [];
  const rows = await BatchModel.query().whereIn('id', ids).where({ user_id: userId });
  return rows.map(({ id, status, total, completed, failed, canceled }) => ({
    event: 'batch',
    data: { batch_id: id, status, total, ended: completed + failed + canceled },
  }));
}
