import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { BatchProgress } from '../activities/batches/continue-batch.ts';
import type { RunBatchInput } from '../contract/workflows.ts';
import { continueRun, isRunLong } from './continue-run.ts';

/** A worker that dies is noticed by its silence: a step reports every 5 s. */
const { continueBatch } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute', heartbeatTimeout: '15 s' });
const { cancelBatch } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** Pause between steps. While nothing changes it grows up to the longest one, which is longer without a budget. */
const PACE_MS = 1_000;
const MAX_PACE_MS = 8_000;
const MAX_HELD_PACE_MS = 60_000;

/** Steps after which the run continues as new, which keeps its history far below Temporal's bounds. */
const STEPS_PER_RUN = 200;

/** Runs a batch, a few sessions at a time. Its place is stored, so that a continued run starts from there. */
export async function runBatch(input: RunBatchInput): Promise<void> {
  let last: BatchProgress | undefined;
  let pauseMs = PACE_MS;
  try {
    for (let steps = 1; ; steps++) {
      const progress = await continueBatch.executeWithOptions({ summary: 'the next sessions' }, [input]);
      setCurrentDetails(describe(progress));
      if (progress.status !== 'running' && progress.status !== 'canceling') return;
      const isIdle = progress.begun === last?.begun && progress.ended === last.ended;
      pauseMs = isIdle ? Math.min(pauseMs * 2, progress.isHeld ? MAX_HELD_PACE_MS : MAX_PACE_MS) : PACE_MS;
      last = progress;
      await sleep(pauseMs, { summary: describe(progress) });
      if (isRunLong(steps, STEPS_PER_RUN)) break;
    }
  } catch (failure) {
    if (isCancellation(failure)) await CancellationScope.nonCancellable(() => cancelBatch(input));
    throw failure;
  }
  await continueRun<typeof runBatch>(input);
}

const describe = ({ begun, ended, total, isHeld }: BatchProgress) =>
  `${ended} of ${total} done, ${begun - ended} under way${isHeld ? ', held' : ''}`;
