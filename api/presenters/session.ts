import type { Session, SessionListItem } from '../../contract/sessions.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';

export async function presentSession(row: SessionModel): Promise<Session> {
  const [item] = await presentSessions([row]);
  const { conversation, transcript, raw_response, assistant } = row;
  return { ...(item as SessionListItem), conversation, transcript, raw_response, assistant };
}

/** Costs and deliveries of all of them are read at once. */
export async function presentSessions(rows: readonly SessionModel[]): Promise<SessionListItem[]> {
  const ids = rows.map((row) => row.id);
  const [costs, deliveries] = await Promise.all([VendorCallModel.findCosts(ids), DeliveryModel.findLatest(ids)]);
  return rows.map((row) => {
    const { items = [], total_cost = 0, cost_known = true } = costs.get(row.id) ?? {};
    const delivery = deliveries.get(row.id);
    return {
      session_id: row.id,
      assistant_id: row.assistant_id,
      type: row.type,
      status: row.status,
      summary_text: row.summary_text,
      total_cost,
      cost_known,
      cost_breakdown: items,
      created_at: row.created_at.toISOString(),
      completed_at: row.completed_at?.toISOString() ?? null,
      error: row.error,
      metadata: row.metadata,
      source_session_id: row.source_session_id,
      simulated: row.simulated,
      temperature_applied: row.temperature_applied,
      delivery: delivery
        ? {
            delivery_id: delivery.id,
            status: delivery.status,
            next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
          }
        : null,
    };
  });
}
