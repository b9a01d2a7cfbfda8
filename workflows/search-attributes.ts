import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryStatus, SessionStatus } from '../contract/constants.ts';

interface Shown {
  SessionStatus?: SessionStatus;
  DeliveryStatus?: DeliveryStatus;
  /** Host and port of the webhook's URL; never its path, which may be a secret. */
  WebhookHost?: string;
}

/**
 * Shows where the run stands, for operators to filter by in the Temporal UI. Each call costs a write, so pass all
 * attributes at once.
 */
export function showStatus(shown: Shown): void {
  const attributes = Object.entries(shown) as [string, string][];
  if (attributes.length === 0) return;
  upsertSearchAttributes(
    attributes.map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );
}
