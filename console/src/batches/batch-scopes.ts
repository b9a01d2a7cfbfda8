import type { BatchAction } from '../../../contract/constants.ts';
import type { Scope } from '../../../contract/scopes.ts';

/** The scope that each batch action requires. */
export const BATCH_SCOPES: Record<BatchAction, Scope> = {
  reanalyze: 'sessions:write',
  retry: 'sessions:write',
  delete: 'sessions:delete',
};
