/** Builds the headers of one webhook attempt. Spec §6.3; additions: docs/webhooks.md. */
import { Webhook } from 'standardwebhooks';
import type { WebhookAuth } from '../../contract/values/constants.ts';
import type { DeliveryModel } from '../../db/models/delivery.ts';

interface WebhookMessage extends Pick<DeliveryModel, 'event' | 'payload' | 'replayed_from'> {
  delivery_id: string;
  attempt: number;
  /** A stand-in produced the result. */
  simulated: boolean;
  /** The assistant's secret, or null: then the request is not signed. */
  secret: string | null;
  auth: WebhookAuth;
}

export function buildWebhookHeaders({
  delivery_id,
  event,
  attempt,
  payload,
  replayed_from,
  simulated,
  secret,
  auth,
}: WebhookMessage): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'conversation-analysis-service/1',
    'X-Webhook-Event': event,
    'X-Webhook-Delivery': delivery_id,
    'X-Webhook-Attempt': String(attempt),
    ...(replayed_from !== null && { 'X-Webhook-Replayed-From': replayed_from }),
    ...(simulated && { 'X-Webhook-Simulated': 'true' }),
    ...(secret !== null && auth !== 'signature' && { Authorization: `Bearer ${secret}` }),
    ...(secret !== null && auth !== 'bearer' && signatureHeaders(delivery_id, payload, secret)),
  };
}

/** A secret as Standard Webhooks writes them: the key in base64, with or without padding. */
const ENCODED_KEY = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?)$/;

/**
 * Returns the headers of Standard Webhooks, signed with the secret's bytes as the key. If the secret is an encoded key, the header
 * also has the signature with the decoded key, which its libraries use for such secrets.
 * https://github.com/standard-webhooks/standard-webhooks
 */
function signatureHeaders(deliveryId: string, payload: string, secret: string): Record<string, string> {
  // The receiver compares this time with its own clock.
  // oxlint-disable-next-line project/database-time
  const now = new Date();
  const encoded = ENCODED_KEY.exec(secret)?.[1];
  const keys = [secret, ...(encoded ? [Buffer.from(encoded, 'base64')] : [])].map(
    (key) => new Webhook(key, { format: 'raw' }),
  );
  return {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': keys.map((key) => key.sign(deliveryId, now, payload)).join(' '),
  };
}

/** Returns the headers with secrets masked, for the attempt's row. */
export function maskSecrets(headers: Record<string, string>): Record<string, string> {
  return { ...headers, ...(headers['Authorization'] && { Authorization: 'Bearer ***' }) };
}
