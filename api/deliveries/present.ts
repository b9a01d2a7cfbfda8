import type { Delivery, DeliveryListItem } from '../../contract/deliveries.ts';
import type { Redelivery, RedeliveryPreview } from '../../contract/redeliveries.ts';
import type { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';
import type { RedeliveryModel, RedeliveryPreviewRow } from '../../db/models/redelivery.ts';

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
    alert: row.alert,
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
    attempt,
    duration_ms,
    outcome,
    failure,
    status_code,
    url,
    request_headers,
    response_headers,
    response_body,
    response_truncated,
    started_at: row.started_at.toISOString(),
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

/** Returns a redelivery with the current counts of its deliveries. */
export async function presentRedelivery(row: RedeliveryModel): Promise<Redelivery> {
  const counts = await row.countDeliveries();
  return {
    redelivery_id: row.id,
    filter: row.filter,
    status: row.status,
    total: row.total,
    started: counts.pending + counts.delivered + counts.failed + counts.stopped,
    ...counts,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** @param rows one for each assistant, the one with the most deliveries first. */
export function presentRedeliveryPreview(rows: readonly RedeliveryPreviewRow[]): RedeliveryPreview {
  const times = rows.flatMap(({ oldest, newest }) => [oldest.toISOString(), newest.toISOString()]).sort();
  return {
    total: rows.reduce((sum, { total }) => sum + total, 0),
    oldest: times[0] ?? null,
    newest: times.at(-1) ?? null,
    by_assistant: rows.map(({ assistant_id, total }) => ({ assistant_id, total })),
  };
}
