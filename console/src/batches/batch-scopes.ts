import type { BatchAction } from '../../../contract/constants.ts';
import type { Scope } from '../../../contract/scopes.ts';

/** What the actions of batches need. */
export const BATCH_SCOPES: Record<BatchAction, Scope> = {
  reanalyze: 'sessions:write',
  retry: 'sessions:write',
  delete: 'sessions:delete',
};
