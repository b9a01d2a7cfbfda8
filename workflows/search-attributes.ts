import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryStatus, SessionStatus } from '../contract/constants.ts';

interface Shown {
  SessionStatus?: SessionStatus;
  DeliveryStatus?: DeliveryStatus;
  /** Of the webhook's URL, with the port; never its path, which may be a secret. */
  WebhookHost?: string;
}

/** Where the run stands, as operators filter by it in the Temporal UI. Each call costs a write: say all at once. */
export function showStatus(shown: Shown): void {
  const attributes = Object.entries(shown) as [string, string][];
  if (attributes.length === 0) return;
  upsertSearchAttributes(
    attributes.map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );
}
