/** Reads the current status of changed rows. */
import type { ServerEvent } from '../../contract/service/events.ts';
import { BatchModel } from '../models/batch.ts';
import { DeliveryAttemptModel } from '../models/delivery-attempt.ts';
import { DeliveryModel } from '../models/delivery.ts';
import { SessionModel } from '../models/session.ts';
import { ProviderCallModel } from '../models/provider-call.ts';

/**
 * Returns an event for each session, and for each of the other rows that exists.
 * @param ids IDs of sessions, deliveries and batches of the workspace.
 */
export async function readChangedStates(workspaceId: string, ids: readonly string[]): Promise<ServerEvent[]> {
  const events = Object.entries(READERS).map(async ([prefix, read]) => {
    const own = ids.filter((id) => id.startsWith(prefix));
    return own.length === 0 ? [] : read(workspaceId, own);
  });
  return (await Promise.all(events)).flat();
}

const READERS = { sess_: readSessions, dlv_: readDeliveries, bat_: readBatches };

async function readSessions(workspaceId: string, ids: string[]): Promise<ServerEvent[]> {
  const [rows, costs] = await Promise.all([
    SessionModel.query()
      .select('id', 'status', 'assistant_id', 'completed_at', 'waiting')
      .whereIn('id', ids)
      .where({ workspace_id: workspaceId }),
    ProviderCallModel.findCosts(ids),
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
        waiting_for: row?.waitingFor ?? null,
      },
    };
  });
}

async function readDeliveries(workspaceId: string, ids: string[]): Promise<ServerEvent[]> {
  const attempt = DeliveryAttemptModel.query().whereColumn('delivery_id', 'deliveries.id').max('attempt');
  const rows = await DeliveryModel.query()
    .select('id', 'session_id', 'status', 'next_attempt_at', attempt.as('attempt'))
    .whereIn('id', ids)
    .where({ workspace_id: workspaceId })
    .castTo<(DeliveryModel & { attempt: number | null })[]>();
  return rows.map(({ id, session_id, status, next_attempt_at, attempt: latest }) => ({
    event: 'delivery',
    data: {
      delivery_id: id,
      session_id,
      status,
      attempt: latest ?? 0,
      next_attempt_at: next_attempt_at?.toISOString() ?? null,
    },
  }));
}

async function readBatches(workspaceId: string, ids: string[]): Promise<ServerEvent[]> {
  const rows = await BatchModel.query().whereIn('id', ids).where({ workspace_id: workspaceId });
  return rows.map(({ id, status, total, completed, failed, canceled }) => ({
    event: 'batch',
    data: { batch_id: id, status, total, ended: completed + failed + canceled },
  }));
}
