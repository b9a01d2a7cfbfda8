// One activity per attempt, but for a session's first one, which its analysis makes. Each wait is a timer here, so that operators see the schedule in the Temporal UI.
import {
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AttemptOutcome, RefusedAttempt } from '../activities/webhooks/post-webhook.ts';
import type { EndedAttempt } from '../activities/webhooks/send-attempt.ts';
import { WEBHOOK_DELAYS_MS, WEBHOOK_MAX_ATTEMPTS } from '../contract/constants.ts';
import type { StopReason } from '../contract/constants.ts';
import type { DeliverWebhookInput } from '../contract/workflows.ts';
import { continueRun, isRunLong } from './continue-run.ts';
import { showChanges, showStatus } from './search-attributes.ts';
import type { Shown } from './search-attributes.ts';
import { retryNowSignal, slotFreeSignal, stopDeliverySignal } from './signals.ts';

/**
 * An attempt itself is bounded by 10 s; the rest of the time is for its rows. A worker that dies is noticed after it.
 */
const { postWebhook } = proxyActivities<Activities>({
  startToCloseTimeout: '20 s',
  // These are not the delivery's retries: they run the same attempt until its end is recorded, without a second POST.
  retry: { initialInterval: '1 s', backoffCoefficient: 1.5, maximumInterval: '30 s' },
});

const { stopDelivery } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** Goes on in a new run. */
type GoOn = (next: DeliverWebhookInput) => Promise<never>;

const goOnByItself: GoOn = (next) => continueRun<(input: DeliverWebhookInput) => Promise<void>>(next);

/**
 * Posts the delivery, then once more after each delay until an attempt succeeds or the delivery is stopped. Spec §6.4.
 * @param made the first attempt, where it is made and shown already.
 */
export async function deliverWebhook(
  input: DeliverWebhookInput,
  goOn: GoOn = goOnByItself,
  made?: EndedAttempt,
): Promise<void> {
  const { delivery_id } = input;
  try {
    const isStopped = await attemptUntilEnded(input, goOn, made);
    if (isStopped) await stop(delivery_id, 'requested');
  } catch (failure) {
    if (!isCancellation(failure)) throw failure;
    await CancellationScope.nonCancellable(() => stop(delivery_id, 'canceled'));
    throw failure;
  }
}

async function stop(delivery_id: string, reason: StopReason): Promise<void> {
  await stopDelivery({ delivery_id, reason });
  showStatus({ DeliveryStatus: 'stopped' });
}

/** What was signaled so far. */
interface Wishes {
  isStopped: boolean;
  /** The worker that refused the attempt has room for it now. */
  isSlotFree: boolean;
  /** Number of the attempt that is to be made at once. */
  attempt: number;
}

function listen(upcoming: () => number): Wishes {
  const wishes: Wishes = { isStopped: false, isSlotFree: false, attempt: 0 };
  setHandler(stopDeliverySignal, () => void (wishes.isStopped = true));
  setHandler(retryNowSignal, (wish) => void (wishes.attempt = wish?.attempt ?? upcoming()));
  setHandler(slotFreeSignal, () => void (wishes.isSlotFree = true));
  return wishes;
}

/** Returns whether somebody stopped it. */
async function attemptUntilEnded(input: DeliverWebhookInput, goOn: GoOn, made?: EndedAttempt): Promise<boolean> {
  const { delivery_id } = input;
  let attempt = (input.attempts_made ?? 0) + 1;
  const wishes = listen(() => attempt + 1);
  const tell = createStory(delivery_id);
  const post = (summary: string) => postWebhook.executeWithOptions({ summary }, [{ delivery_id, attempt }]);
  let shown: Shown = { DeliveryStatus: made?.status ?? 'pending', WebhookHost: input.webhook_host };
  for (let asks = 1; made || !wishes.isStopped; asks++) {
    const summary = `attempt ${attempt} of ${WEBHOOK_MAX_ATTEMPTS}`;
    wishes.isSlotFree = false;
    const outcome: AttemptOutcome = made ?? (await post(summary));
    made = undefined;
    if (outcome.status === 'busy') {
      await condition(() => wishes.isStopped || wishes.isSlotFree, pauseMs(), {
        summary: `${summary} waits: ${reasonOf(outcome)}`,
      });
      if (wishes.isStopped || !isRunLong(asks)) continue;
      const host = shown.WebhookHost === undefined ? {} : { webhook_host: shown.WebhookHost };
      return goOn({ delivery_id, attempts_made: attempt - 1, ...host });
    }
    tell(`${summary}: ${describe(outcome)}`);
    shown = showChanges(shown, { DeliveryStatus: outcome.status, WebhookHost: outcome.host ?? shown.WebhookHost });
    if (outcome.status !== 'pending') return false;
    await condition(() => wishes.isStopped || wishes.attempt === attempt + 1, WEBHOOK_DELAYS_MS[attempt - 1] ?? 0, {
      summary: `retry ${attempt} of ${WEBHOOK_DELAYS_MS.length}, after ${describe(outcome)}`,
    });
    attempt += 1;
  }
  return true;
}

/**
 * A signal ends the pause; asking again is for one that was lost. From 30 to 60 s, so that those who are sent away
 * together do not come back together.
 */
const pauseMs = () => Math.round(30_000 * (1 + Math.random()));

const reasonOf = ({ bound, host }: RefusedAttempt) =>
  `enough attempts ${{ host: `to ${host}`, user: 'of this user', worker: 'of this worker' }[bound]} are under way`;

/** Returns what writes down, in the current details, what happened so far. */
function createStory(delivery_id: string): (line: string) => void {
  const story: string[] = [];
  return (line) => {
    story.push(`- ${line}`);
    setCurrentDetails(`Delivery ${delivery_id}\n\n${story.join('\n')}`);
  };
}

function describe({ status, failure, status_code }: EndedAttempt): string {
  if (failure === null) return status;
  return status_code === null ? failure : `HTTP ${status_code}`;
}
