import { defineSearchAttributeKey } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { DeliveryStatus, SessionStatus } from '../contract/constants.ts';
import type { SEARCH_ATTRIBUTES } from '../contract/workflows.ts';

type Name = Extract<(typeof SEARCH_ATTRIBUTES)[number], 'SessionStatus' | 'DeliveryStatus'>;

/** Where the run stands, as operators filter by it in the Temporal UI. */
export function showStatus(name: Name, value: SessionStatus | DeliveryStatus): void {
  upsertSearchAttributes([{ key: defineSearchAttributeKey(name, 'KEYWORD'), value }]);
}
