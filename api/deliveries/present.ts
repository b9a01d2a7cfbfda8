import { AttemptSchema, DeliveryListItemSchema, DeliverySchema } from '../../contract/sessions/deliveries.ts';
import { RedeliverySchema } from '../../contract/sessions/redeliveries.ts';
import type { RedeliveryPreview } from '../../contract/sessions/redeliveries.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';
import type { RedeliveryModel, RedeliveryPreviewRow } from '../../db/models/redelivery.ts';
import { presentRow } from '../http/handle.ts';

export const presentDelivery = (row: DeliveryModel) =>
  presentRow(DeliverySchema, {
    ...addState(row),
    attempts: (row.attempts ?? []).map((attempt) => presentRow(AttemptSchema, attempt)),
  });

export const presentDeliveryListItem = (row: DeliveryModel) =>
  presentRow(DeliveryListItemSchema, {
    ...addState(row),
    attempt_count: Number(row.attempt_count ?? 0),
    last_attempt: row.last_attempt ?? null,
  });

const addState = (row: DeliveryModel) => ({ ...row, delivery_id: row.id, overdue: row.isOverdue(new Date()) });

/** Returns a redelivery with the current counts of its deliveries. */
export async function presentRedelivery(row: RedeliveryModel) {
  const counts = await row.countDeliveries();
  const started = counts.pending + counts.delivered + counts.failed + counts.stopped;
  return presentRow(RedeliverySchema, { ...row, ...counts, redelivery_id: row.id, started });
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
