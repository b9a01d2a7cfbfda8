import { AttemptSchema, DeliveryListItemSchema, DeliverySchema } from '../../contract/sessions/deliveries.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';
import { presentRow } from '../http/handle.ts';

export const presentDelivery = (row: DeliveryModel) =>
  presentRow(DeliverySchema, {
    ...addState(row),
    attempts: (row.attempts ?? []).map((attempt) => presentRow(AttemptSchema, attempt)),
  });

export const presentDeliveryListItem = (row: DeliveryModel) =>
  presentRow(DeliveryListItemSchema, {
    ...addState(row),
    attempt_count: row.attempt_count ?? 0,
    last_attempt: row.last_attempt ?? null,
    session: row.session ?? null,
  });

const addState = (row: DeliveryModel) => ({ ...row, delivery_id: row.id, overdue: row.isOverdue(new Date()) });
