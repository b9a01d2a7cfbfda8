import type { Delivery } from '../../contract/deliveries.ts';
import type { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';

export function presentDelivery(row: DeliveryModel): Delivery {
  return {
    delivery_id: row.id,
    session_id: row.session_id,
    assistant_id: row.assistant_id,
    event: row.event,
    status: row.status,
    stop_reason: row.stop_reason,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    attempts: (row.attempts ?? []).map(presentAttempt),
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
