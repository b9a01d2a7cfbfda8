import type { Delivery, DeliveryListItem } from '../../contract/deliveries.ts';
import type { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';

export function presentDelivery(row: DeliveryModel): Delivery {
  return { ...presentState(row), attempts: (row.attempts ?? []).map(presentAttempt) };
}

export function presentDeliveryListItem(row: DeliveryModel): DeliveryListItem {
  return {
    ...presentState(row),
    attempt_count: Number(row.attempt_count ?? 0),
    last_attempt: row.last_attempt ?? null,
  };
}

function presentState(row: DeliveryModel): Omit<Delivery, 'attempts'> {
  return {
    delivery_id: row.id,
    session_id: row.session_id,
    assistant_id: row.assistant_id,
    event: row.event,
    status: row.status,
    stop_reason: row.stop_reason,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    overdue: row.isOverdue(new Date()),
    replayed_from: row.replayed_from,
    redelivery_id: row.redelivery_id,
    workflow_id: row.workflow_id,
  };
}

function presentAttempt(row: DeliveryAttemptModel): Delivery['attempts'][number] {
  const { attempt, duration_ms, outcome, failure, status_code, url, request_headers } = row;
  const { response_headers, response_body, response_truncated } = row;
  return {
    ...{ attempt, duration_ms, outcome, failure, status_code, url, request_headers },
    ...{ response_headers, response_body, response_truncated },
    started_at: row.started_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}
