import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryStatus, SessionStatus } from '../contract/values/constants.ts';

export interface Shown {
  SessionStatus?: SessionStatus | undefined;
  DeliveryStatus?: DeliveryStatus | undefined;
  /** Host and port of the webhook URL, without its path, which may be a secret. */
  WebhookHost?: string | undefined;
}

/** Sets search attributes, by which operators filter in the Temporal UI. Each call is a write, so pass all at once. */
export function showStatus(shown: Shown): void {
  const attributes = Object.entries(shown).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (attributes.length === 0) return;
  upsertSearchAttributes(
    attributes.map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );
}

/** Sets the attributes of `next` that differ from `shown`. Returns `next`. */
export function showChanges(shown: Shown, next: Shown): Shown {
  const changes = Object.entries(next).filter(([name, value]) => value !== shown[name as keyof Shown]);
  showStatus(Object.fromEntries(changes));
  return next;
}
