import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { SessionStatus, Step } from '../contract/constants.ts';
import type { AnalyzeSessionInput } from '../contract/workflows.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { toSessionError } from './session-error.ts';
import { showStatus } from './search-attributes.ts';
import { waitForSlot } from './wait-for-slot.ts';

/**
 * How long a vendor is tried, and when, is decided by the activity, which knows the vendor's wishes. The bounds here
 * are for workers that die: a step that is alive reports every 2 s.
 */
const STEP = {
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '10 s',
  // A call that is aborted still tells what it cost.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '1 s',
    maximumInterval: '1 minute',
    nonRetryableErrorTypes: [
      'TypeError',
      'ReferenceError',
      'RangeError',
      'SyntaxError',
      'ZodError',
      'AudioMissingError',
    ],
  },
} satisfies ActivityOptions;

const { transcribeAudio } = proxyActivities<Activities>({ startToCloseTimeout: '3 hours', ...STEP });
const { analyzeConversation } = proxyActivities<Activities>({ startToCloseTimeout: '15 minutes', ...STEP });
const { endSession } = proxyActivities<Activities>({ startToCloseTimeout: '10 s' });

/** One session, from its stored conversation to its result and the end of its delivery. Ids and codes only. */
export async function analyzeSession(session: AnalyzeSessionInput): Promise<void> {
  if (session.type === 'voice') {
    const { status } = await endOnFailure(session, 'transcription', () =>
      waitForSlot('transcribing', () => transcribeAudio.executeWithOptions({ summary: 'speech to text' }, [session])),
    );
    if (status !== 'transcribed') return showEnd(status);
    showStatus({ SessionStatus: 'analyzing' });
  }
  const { status, delivery_id, webhook_host } = await endOnFailure(session, 'analysis', () =>
    waitForSlot('analyzing', () => analyzeConversation.executeWithOptions({ summary: 'language model' }, [session])),
  );
  if (delivery_id === null || status === 'gone') return showEnd(status);
  const isKnown = webhook_host !== undefined;
  showStatus({ SessionStatus: status, DeliveryStatus: 'pending', ...(isKnown && { WebhookHost: webhook_host }) });
  await deliverWebhook({ delivery_id, ...(isKnown && { webhook_host }) });
}

function showEnd(status: SessionStatus | 'gone'): void {
  if (status === 'gone') return setCurrentDetails('The session was withdrawn or deleted before it ran.');
  showStatus({ SessionStatus: status });
  // Its id must stay free for a retry.
  if (status === 'failed') throw ApplicationFailure.nonRetryable('the session had failed before', 'failed_before');
}

/** A failed session's workflow fails as well: operators see it, and its id may run again. */
async function endOnFailure<T>(session: AnalyzeSessionInput, step: Step, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    // The second: a worker that died meanwhile could not say so.
    if (isCancellation(failure) || CancellationScope.current().consideredCancelled) {
      await CancellationScope.nonCancellable(() => endSession({ ...session, end: { status: 'canceled' } }));
      showStatus({ SessionStatus: 'canceled' });
      throw new CancelledFailure('the session was canceled');
    }
    const error = toSessionError(failure, step);
    await endSession({ ...session, end: { status: 'failed', error } });
    showStatus({ SessionStatus: 'failed' });
    setCurrentDetails(`Failed: ${error.message}`);
    throw ApplicationFailure.nonRetryable(`${error.stage} failed: ${error.message}`, error.code);
  }
}
