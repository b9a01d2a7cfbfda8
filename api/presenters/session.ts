import type { Session, SessionListItem } from '../../contract/sessions.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';

export function presentSession(session: DetailedSession): Session {
  const { conversation, transcript, raw_response, assistant } = session.row;
  return { ...presentSessionListItem(session), conversation, transcript, raw_response, assistant };
}

export function presentSessionListItem({ row, cost, delivery }: DetailedSession): SessionListItem {
  return {
    session_id: row.id,
    assistant_id: row.assistant_id,
    type: row.type,
    status: row.status,
    summary_text: row.summary_text,
    total_cost: cost.total_cost,
    cost_known: cost.cost_known,
    cost_breakdown: cost.items,
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
}
