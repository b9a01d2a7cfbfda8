// One activity per attempt: each wait is a timer here, so operators see the schedule in the Temporal UI.
import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AttemptOutcome } from '../activities/post-webhook.ts';
import { WEBHOOK_DELAYS_MS, WEBHOOK_MAX_ATTEMPTS } from '../contract/constants.ts';
import { showStatus } from './search-attributes.ts';

/** The attempt's own bound is 10 s; the rest is for its rows. A worker that dies in it is noticed after this time. */
const { postWebhook } = proxyActivities<Activities>({
  startToCloseTimeout: '20 s',
  // Not the delivery's retries: these run the same attempt again until its end is recorded, without a second POST.
  retry: { initialInterval: '1 s', backoffCoefficient: 1.5, maximumInterval: '30 s' },
});

const { stopDelivery } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** Posts the delivery, then once more after each delay until an attempt succeeds or the delivery is stopped. Spec §6.4. */
export async function deliverWebhook(delivery_id: string): Promise<void> {
  try {
    await attemptUntilDelivered(delivery_id);
  } catch (failure) {
    if (!isCancellation(failure)) throw failure;
    await CancellationScope.nonCancellable(() => stopDelivery({ delivery_id, reason: 'canceled' }));
    showStatus({ DeliveryStatus: 'stopped' });
    throw failure;
  }
}

async function attemptUntilDelivered(delivery_id: string): Promise<void> {
  const story: string[] = [];
  const tell = (line: string) => {
    story.push(`- ${line}`);
    setCurrentDetails(`Delivery ${delivery_id}\n\n${story.join('\n')}`);
  };
  for (let attempt = 1; ; attempt++) {
    const summary = `attempt ${attempt} of ${WEBHOOK_MAX_ATTEMPTS}`;
    const outcome = await postWebhook.executeWithOptions({ summary }, [{ delivery_id, attempt }]);
    tell(`${summary}: ${describe(outcome)}`);
    if (outcome.status !== 'pending') {
      showStatus({ DeliveryStatus: outcome.status });
      return;
    }
    await sleep(WEBHOOK_DELAYS_MS[attempt - 1] ?? 0, {
      summary: `retry ${attempt} of ${WEBHOOK_DELAYS_MS.length}, after ${describe(outcome)}`,
    });
  }
}

function describe({ status, failure, status_code }: AttemptOutcome): string {
  if (failure === null) return status;
  return status_code === null ? failure : `HTTP ${status_code}`;
}
