/** Workflows over many rows. Their position is stored, so a new run continues from there. */
import {
  CancellationScope,
  isCancellation,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Workflow } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { BatchProgress } from '../activities/batches/continue-batch.ts';
import type { RedeliveryProgress } from '../activities/webhooks/redeliver-many.ts';
import type { RedeliverManyInput, RunBatchInput } from '../contract/workflows.ts';

const { continueBatch } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute', heartbeatTimeout: '15 s' });
const { continueRedelivery, cancelRedelivery } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute' });
const { cancelBatch } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** Runs a batch, a few sessions at a time. */
export async function runBatch(input: RunBatchInput): Promise<void> {
  const hasEnded = await runSteps<BatchProgress>({
    step: () => continueBatch.executeWithOptions({ summary: 'Start the next sessions' }, [input]),
    cancel: () => cancelBatch(input),
    describe: ({ begun, ended, total, isHeld }) =>
      `${ended} of ${total} done, ${begun - ended} in progress${isHeld ? ', on hold' : ''}`,
    countDone: ({ begun, ended }) => begun + ended,
    minPauseMs: 1_000,
    maxPauseMs: ({ isHeld }) => (isHeld ? 60_000 : 8_000),
  });
  if (!hasEnded) await continueRun<typeof runBatch>(input);
}

/** Redelivers many deliveries, ten every two seconds. A receiver that is down is tried for 12.5 minutes. */
export async function redeliverMany(input: RedeliverManyInput): Promise<void> {
  const hasEnded = await runSteps<RedeliveryProgress>({
    step: () => continueRedelivery.executeWithOptions({ summary: 'Start the next ten deliveries' }, [input]),
    cancel: () => cancelRedelivery(input),
    describe: ({ started, total, pending }) => `${started} of ${total} started, ${pending} in progress`,
    countDone: ({ started }) => started,
    minPauseMs: 2_000,
    maxPauseMs: () => 30_000,
  });
  if (!hasEnded) await continueRun<typeof redeliverMany>(input);
}

interface Steps<P> {
  step: () => Promise<P>;
  cancel: () => Promise<void>;
  describe: (progress: P) => string;
  /** Returns a number that grows with each progress. */
  countDone: (progress: P) => number;
  minPauseMs: number;
  /** While nothing changes, the pause doubles up to this value. */
  maxPauseMs: (progress: P) => number;
}

/** Steps after which the run continues as new, which keeps its history far below Temporal's limits. */
const STEPS_PER_RUN = 100;

/** Returns true when the steps have ended, or false if a new run must continue. */
async function runSteps<P extends { status: string }>(steps: Steps<P>): Promise<boolean> {
  const { step, cancel, describe, countDone, minPauseMs, maxPauseMs } = steps;
  let doneBefore: number | undefined;
  let pauseMs = minPauseMs;
  try {
    for (let count = 1; ; count++) {
      const progress = await step();
      setCurrentDetails(describe(progress));
      if (progress.status !== 'running' && progress.status !== 'canceling') return true;
      const done = countDone(progress);
      pauseMs = done === doneBefore ? Math.min(pauseMs * 2, maxPauseMs(progress)) : minPauseMs;
      doneBefore = done;
      await sleep(pauseMs, { summary: describe(progress) });
      // A newer release must also continue runs that need a worker of an older one.
      const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
      if (count >= STEPS_PER_RUN || continueAsNewSuggested || targetWorkerDeploymentVersionChanged) return false;
    }
  } catch (failure) {
    if (isCancellation(failure)) await CancellationScope.nonCancellable(cancel);
    throw failure;
  }
}

/** Continues as new with the same search attributes, on the current release. Always throws, as the SDK requires. */
function continueRun<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  const { typedSearchAttributes, currentDeploymentVersion } = workflowInfo();
  const isVersioned = currentDeploymentVersion !== undefined && currentDeploymentVersion.buildId !== '';
  return makeContinueAsNewFunc<F>({
    typedSearchAttributes,
    // Without versions, the server refuses this option.
    ...(isVersioned && { initialVersioningBehavior: 'AUTO_UPGRADE' }),
  })(...args);
}
