import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RedeliveryProgress } from '../activities/webhooks/redeliver-many.ts';
import type { RedeliverManyInput } from '../contract/workflows.ts';
import { continueRun, isRunLong } from './continue-run.ts';

const { continueRedelivery, cancelRedelivery } = proxyActivities<Activities>({ startToCloseTimeout: '1 minute' });

/** Pause between pages of ten, which makes five deliveries a second at most. */
const PACE_MS = 2_000;

/**
 * The longest pause. Pauses grow up to it while nothing can be started: a receiver that is down is tried for 12.5
 * minutes.
 */
const MAX_PACE_MS = 30_000;

/** Pages after which the run continues as new, which keeps its history far below Temporal's bounds. */
const PAGES_PER_RUN = 200;

/** Makes many deliveries again, a few at a time. Its place is stored, so that a continued run starts from there. */
export async function redeliverMany(input: RedeliverManyInput): Promise<void> {
  let last: RedeliveryProgress | undefined;
  let pauseMs = PACE_MS;
  try {
    for (let pages = 1; ; pages++) {
      const progress = await continueRedelivery.executeWithOptions({ summary: 'the next ten' }, [input]);
      setCurrentDetails(describe(progress));
      if (progress.status !== 'running') return;
      pauseMs = progress.started === last?.started ? Math.min(pauseMs * 2, MAX_PACE_MS) : PACE_MS;
      last = progress;
      await sleep(pauseMs, { summary: describe(progress) });
      if (isRunLong(pages, PAGES_PER_RUN)) break;
    }
  } catch (failure) {
    if (isCancellation(failure)) await CancellationScope.nonCancellable(() => cancelRedelivery(input));
    throw failure;
  }
  await continueRun<typeof redeliverMany>(input);
}

const describe = ({ started, total, pending }: RedeliveryProgress) =>
  `${started} of ${total} started, ${pending} under way`;
