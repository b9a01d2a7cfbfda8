import {
  CancellationScope,
  isCancellation,
  makeContinueAsNewFunc,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RunBatchInput } from '../contract/workflows.ts';

const { continueBatch } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute', heartbeatTimeout: '15 s' });
const { cancelBatch } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** Steps after which the run continues as new, which keeps its history far below Temporal's limits. */
const STEPS_PER_RUN = 100;

const MIN_PAUSE_MS = 1_000;
/** While nothing changes, the pause doubles up to this value. */
const MAX_PAUSE_MS = 8_000;
const MAX_PAUSE_ON_HOLD_MS = 60_000;

/** Runs a batch, a few sessions or deliveries at a time. Its position is stored, so a new run continues from there. */
export async function runBatch(input: RunBatchInput): Promise<void> {
  let doneBefore: number | undefined;
  let pauseMs = MIN_PAUSE_MS;
  try {
    for (let count = 1; ; count++) {
      const progress = await continueBatch.executeWithOptions({ summary: 'Start the next sessions' }, [input]);
      const { status, begun, ended, total, isHeld } = progress;
      const details = `${ended} of ${total} done, ${begun - ended} in progress${isHeld ? ', on hold' : ''}`;
      setCurrentDetails(details);
      if (status !== 'running' && status !== 'canceling') return;
      const done = begun + ended;
      const maxPauseMs = isHeld ? MAX_PAUSE_ON_HOLD_MS : MAX_PAUSE_MS;
      pauseMs = done === doneBefore ? Math.min(pauseMs * 2, maxPauseMs) : MIN_PAUSE_MS;
      doneBefore = done;
      await sleep(pauseMs, { summary: details });
      // A newer release must also continue runs that need a worker of an older one.
      const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
      if (count >= STEPS_PER_RUN || continueAsNewSuggested || targetWorkerDeploymentVersionChanged) break;
    }
  } catch (failure) {
    if (isCancellation(failure)) await CancellationScope.nonCancellable(() => cancelBatch(input));
    throw failure;
  }
  await continueRun(input);
}

/** Continues as new with the same search attributes, on the current release. Always throws, as the SDK requires. */
function continueRun(input: RunBatchInput): Promise<never> {
  const { typedSearchAttributes, currentDeploymentVersion } = workflowInfo();
  const isVersioned = currentDeploymentVersion !== undefined && currentDeploymentVersion.buildId !== '';
  return makeContinueAsNewFunc<typeof runBatch>({
    typedSearchAttributes,
    // Without versions, the server refuses this option.
    ...(isVersioned && { initialVersioningBehavior: 'AUTO_UPGRADE' }),
  })(input);
}
