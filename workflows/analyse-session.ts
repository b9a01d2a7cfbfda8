import { CancellationScope, isCancellation, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import { ApplicationFailure } from '@temporalio/common';
import type { Activities } from '../activities/index.ts';
import type { AnalyseSessionInput } from '../contract/workflows.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { describeFailure } from './describe-failure.ts';
import { showStatus } from './search-attributes.ts';

/**
 * How long a vendor is tried, and when, is decided by the activity, which knows the vendor's wishes. The bounds here
 * are for workers that die: a step that is alive reports every 2 s.
 */
const { analyzeConversation } = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '10 s',
  retry: {
    initialInterval: '1 s',
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'ZodError'],
  },
});

const { endSession } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** One session, from its stored conversation to its result and the end of its delivery. Ids and codes only. */
export async function analyseSession({ session_id }: AnalyseSessionInput): Promise<void> {
  showStatus('SessionStatus', 'analyzing');
  const { status, delivery_id } = await analyze(session_id);
  if (status === 'gone') return setCurrentDetails('The session was withdrawn or deleted before it ran.');
  showStatus('SessionStatus', status);
  if (delivery_id === null) return;
  showStatus('DeliveryStatus', 'pending');
  await deliverWebhook(delivery_id);
}

/** A failed session's workflow fails as well: operators see it, and its id may run again. */
async function analyze(session_id: string) {
  try {
    return await analyzeConversation.executeWithOptions({ summary: 'language model' }, [{ session_id }]);
  } catch (failure) {
    if (isCancellation(failure)) {
      await CancellationScope.nonCancellable(() => endSession({ session_id, end: { status: 'canceled' } }));
      showStatus('SessionStatus', 'canceled');
      throw failure;
    }
    const error = describeFailure(failure, 'analysis');
    await endSession({ session_id, end: { status: 'failed', error } });
    showStatus('SessionStatus', 'failed');
    setCurrentDetails(`Failed: ${error.message}`);
    throw ApplicationFailure.nonRetryable(`${error.stage} failed: ${error.message}`, error.code);
  }
}
