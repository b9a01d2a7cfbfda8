import type { StopReason } from '../../contract/constants.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';

export interface StopDeliveryInput {
  delivery_id: string;
  reason: StopReason;
}

/** Stops a delivery before its last attempt; one that has ended stays as it is. */
export async function stopDelivery({ delivery_id, reason }: StopDeliveryInput): Promise<void> {
  await DeliveryModel.patchPending(delivery_id, { status: 'stopped', stop_reason: reason, next_attempt_at: null });
}
