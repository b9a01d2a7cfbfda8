import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Workflow } from '@temporalio/workflow';

/** A wait that asks often goes on in a new run after this many: a history stays far below Temporal's bounds. */
const MAX_ASKS_PER_RUN = 50;

/** Returns whether a run that asked `asks` times is to be continued by a new one. */
export const isRunLong = (asks: number) => asks >= MAX_ASKS_PER_RUN || workflowInfo().continueAsNewSuggested;

/**
 * Ends this run and goes on in a new one under the same id, which shows the same search attributes and whose time-out
 * begins anew. Throws in any case: that is how the SDK is told.
 */
export function continueRun<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  const { typedSearchAttributes } = workflowInfo();
  return makeContinueAsNewFunc<F>({ typedSearchAttributes })(...args);
}
