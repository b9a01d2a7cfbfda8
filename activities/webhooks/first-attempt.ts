import type { SessionModel } from '../../db/models/session.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { AttemptToSend } from './send-attempt.ts';
import { buildWebhookHeaders } from './webhook-headers.ts';
import type { WebhookSlots } from './webhook-slots.ts';

export interface FirstAttemptDeps {
  secrets: SecretBox;
  slots: WebhookSlots;
}

/** A first attempt that holds its slot and can be sent once its row is stored. */
export interface FirstAttempt extends AttemptToSend {
  /** The secret as it is stored, to see whether the webhook is still the same. */
  sealed_secret: string | null;
  /** Gives the slot back; to be called once. */
  free(): void;
}

/**
 * Makes the first attempt ready for the webhook that the assistant had when the session began. Returns undefined if it
 * had none, if as many attempts as may be are under way, or if its secret does not open: then the workflow asks for the
 * attempt, and waits, or records why it failed.
 */
export function readyFirstAttempt(
  { secrets, slots }: FirstAttemptDeps,
  { user_id, assistant_id, webhook_url: url, webhook_secret: sealed_secret = null }: SessionModel,
  { id: delivery_id, event, payload }: { id: string; event: 'session.completed'; payload: string },
): FirstAttempt | undefined {
  if (url == null) return undefined;
  const secret = sealed_secret === null ? null : secrets.open(sealed_secret, assistant_id);
  if (secret === undefined) return undefined;
  const free = slots.claim({ hostname: new URL(url).hostname, userId: user_id });
  if (typeof free === 'string') return undefined;
  const headers = buildWebhookHeaders({ delivery_id, event, attempt: 1, payload, replayed_from: null, secret });
  return { delivery_id, attempt: 1, url, headers, payload, secret, sealed_secret, free };
}
