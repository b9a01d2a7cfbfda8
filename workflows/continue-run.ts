import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Workflow } from '@temporalio/workflow';

/** A wait that asks often goes on in a new run after this many: a history stays far below Temporal's bounds. */
const MAX_ASKS_PER_RUN = 50;

/**
 * Returns whether a run that asked `asks` times is to be continued by a new one: it grows long, or it holds an old
 * release's worker although a newer release is there.
 */
export function isRunLong(asks: number, maxAsks = MAX_ASKS_PER_RUN): boolean {
  const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return asks >= maxAsks || continueAsNewSuggested || targetWorkerDeploymentVersionChanged;
}

/**
 * Ends this run and goes on in a new one under the same id, which shows the same search attributes, whose time-out begins
 * anew, and which takes the current release. Throws in any case: that is how the SDK is told.
 */
export function continueRun<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  const { typedSearchAttributes, currentDeploymentVersion } = workflowInfo();
  const isVersioned = currentDeploymentVersion !== undefined && currentDeploymentVersion.buildId !== '';
  return makeContinueAsNewFunc<F>({
    typedSearchAttributes,
    // Without versions the server refuses to hear of them.
    ...(isVersioned && { initialVersioningBehavior: 'AUTO_UPGRADE' }),
  })(...args);
}
