// One activity per attempt. Each wait between attempts is a timer here, so operators see the schedule in the Temporal UI.
import {
  ActivityCancellationType,
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { EndedAttempt } from '../activities/webhooks/post-webhook.ts';
import {
  WEBHOOK_DELAYS_MS,
  WEBHOOK_MAX_ATTEMPTS,
  type SessionStatus,
  type StopReason,
} from '../contract/values/constants.ts';
import { AWAITED_PRIORITY, SIGNALS, type DeliverWebhookInput, type RetryNowSignal } from '../contract/workflows.ts';
import { showChanges, showStatus, type Shown } from './search-attributes.ts';

const retryNowSignal = defineSignal<[RetryNowSignal?]>(SIGNALS.retryNow);
const stopDeliverySignal = defineSignal(SIGNALS.stopDelivery);

const { postWebhook } = proxyActivities<Activities>({
  // An attempt takes at most 10 s, plus storing its rows. After this time a dead worker is detected.
  startToCloseTimeout: '20 s',
  // An attempt in progress ends normally; one that waits for a slot ends immediately.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  // These are not retries of the delivery: they repeat the same attempt, without a second POST, until its end is recorded.
  retry: { initialInterval: '1 s', backoffCoefficient: 1.5, maximumInterval: '30 s' },
});

/** Options of activities that take milliseconds, so that they never wait behind steps. */
export const BOOKKEEPING = { startToCloseTimeout: '10 s', priority: { priorityKey: AWAITED_PRIORITY } } as const;

const { stopDelivery } = proxyActivities<Activities>(BOOKKEEPING);

/**
 * Posts the delivery, then once more after each delay until an attempt succeeds or the delivery is stopped. Spec §6.4.
 * @param sessionStatus the final status of the session, to be shown with the first attempt.
 */
export async function deliverWebhook(
  { delivery_id, attempts_made = 0 }: DeliverWebhookInput,
  sessionStatus?: SessionStatus,
): Promise<void> {
  try {
    const isStopped = await attemptUntilEnded(delivery_id, attempts_made, sessionStatus);
    if (isStopped) await stop(delivery_id, 'requested', sessionStatus);
  } catch (failure) {
    if (!isCancellation(failure)) throw failure;
    await CancellationScope.nonCancellable(() => stop(delivery_id, 'canceled', sessionStatus));
    throw failure;
  }
}

async function stop(delivery_id: string, reason: StopReason, SessionStatus?: SessionStatus): Promise<void> {
  await stopDelivery({ delivery_id, reason });
  showStatus({ SessionStatus, DeliveryStatus: 'stopped' });
}

/** The signals received so far. */
interface Requests {
  isStopped: boolean;
  /** Number of the attempt to make immediately. */
  attempt: number;
}

function listen(upcoming: () => number, onStop: () => void): Requests {
  const requests: Requests = { isStopped: false, attempt: 0 };
  setHandler(stopDeliverySignal, () => {
    requests.isStopped = true;
    onStop();
  });
  setHandler(retryNowSignal, (request) => void (requests.attempt = request?.attempt ?? upcoming()));
  return requests;
}

/** Returns whether the delivery was stopped by a signal. */
async function attemptUntilEnded(
  delivery_id: string,
  attemptsMade: number,
  SessionStatus?: SessionStatus,
): Promise<boolean> {
  let attempt = attemptsMade + 1;
  const posting = new CancellationScope();
  const requests = listen(
    () => attempt + 1,
    () => posting.cancel(),
  );
  const payer = workflowInfo().priority?.fairnessKey ?? '';
  const report = createReport(delivery_id);
  // The run of a delivery starts with this status; the run of a session shows none before the first attempt.
  let shown: Shown = SessionStatus === undefined ? { DeliveryStatus: 'pending' } : {};
  for (; !requests.isStopped; attempt++) {
    const summary = `Webhook attempt ${attempt} of ${WEBHOOK_MAX_ATTEMPTS}`;
    const post = () => postWebhook.executeWithOptions({ summary }, [{ delivery_id, attempt, payer }]);
    const outcome = await posting.run(post).catch((failure: unknown) => {
      if (requests.isStopped) return undefined;
      throw failure;
    });
    if (!outcome) break;
    report(`${summary}: ${describe(outcome)}`);
    const { status: DeliveryStatus, host = shown.WebhookHost } = outcome;
    shown = showChanges(shown, { SessionStatus, DeliveryStatus, WebhookHost: host });
    if (DeliveryStatus !== 'pending') return false;
    await condition(() => requests.isStopped || requests.attempt === attempt + 1, WEBHOOK_DELAYS_MS[attempt - 1] ?? 0, {
      summary: `Retry ${attempt} of ${WEBHOOK_DELAYS_MS.length} after ${describe(outcome)}`,
    });
  }
  return true;
}

/** Returns a function that adds a line to the details in the Temporal UI. */
function createReport(delivery_id: string): (line: string) => void {
  const lines: string[] = [];
  return (line) => {
    lines.push(`- ${line}`);
    setCurrentDetails(`Delivery ${delivery_id}\n\n${lines.join('\n')}`);
  };
}

function describe({ status, failure, status_code }: EndedAttempt): string {
  if (failure === null) return status;
  return status_code === null ? failure : `HTTP ${status_code}`;
}
