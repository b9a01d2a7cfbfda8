import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryStatus, SessionStatus } from '../contract/constants.ts';

/** Where the run stands, as operators filter by it in the Temporal UI. Each call costs a write: say all at once. */
export function showStatus(shown: { SessionStatus?: SessionStatus; DeliveryStatus?: DeliveryStatus }): void {
  upsertSearchAttributes(
    Object.entries(shown).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );
}
