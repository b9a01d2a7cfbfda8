/** Builds the headers of one webhook attempt. Spec §6.3; additions: docs/webhooks.md. */
import { Webhook } from 'standardwebhooks';
import type { DeliveryModel } from '../../db/models/delivery.ts';

interface WebhookMessage extends Pick<DeliveryModel, 'event' | 'payload' | 'replayed_from'> {
  delivery_id: string;
  attempt: number;
  /** The assistant's secret, or null: then the request is not signed. */
  secret: string | null;
}

export function buildWebhookHeaders({
  delivery_id,
  event,
  attempt,
  payload,
  replayed_from,
  secret,
}: WebhookMessage): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'conversation-analysis-service/1',
    'X-Webhook-Event': event,
    'X-Webhook-Delivery': delivery_id,
    'X-Webhook-Attempt': String(attempt),
    ...(replayed_from !== null && { 'X-Webhook-Replayed-From': replayed_from }),
    ...(secret !== null && { Authorization: `Bearer ${secret}`, ...signatureHeaders(delivery_id, payload, secret) }),
  };
}

/**
 * Returns the headers of Standard Webhooks, signed with the secret's bytes as the key.
 * https://github.com/standard-webhooks/standard-webhooks
 */
function signatureHeaders(deliveryId: string, payload: string, secret: string): Record<string, string> {
  // The receiver compares this time with its own clock.
  // oxlint-disable-next-line imports/database-time
  const now = new Date();
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret, { format: 'raw' }).sign(deliveryId, now, payload),
  };
}

/** Returns the headers with secrets masked, for the attempt's row. */
export function maskSecrets(headers: Record<string, string>): Record<string, string> {
  return { ...headers, ...(headers['Authorization'] && { Authorization: 'Bearer ***' }) };
}
