import {
  ActivityCancellationType,
  CancellationScope,
  ContinueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { EndedAttempt } from '../activities/webhooks/send-attempt.ts';
import { STATUS_OF_STEP } from '../contract/constants.ts';
import type { SessionStatus, Step } from '../contract/constants.ts';
import type { AnalyzeSessionInput, DeliverWebhookInput } from '../contract/workflows.ts';
import { continueRun } from './continue-run.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { toSessionError } from './session-error.ts';
import { showStatus } from './search-attributes.ts';
import { waitForSlot } from './wait-for-slot.ts';

/**
 * Bounds of a step whose worker dies; a step that is alive reports every 5 s. How often and how long a vendor is tried
 * is decided by the activity, which knows the vendor's wishes.
 */
const STEP = {
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '15 s',
  // A call that is aborted still reports what it cost.
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

/** Runs one session, from its stored conversation to its result and the end of its delivery. Ids and codes only. */
export async function analyzeSession(session: AnalyzeSessionInput): Promise<void> {
  const { delivery } = session;
  if (delivery) return deliver(session, delivery);
  if (session.type === 'voice') {
    const { status } = await runInSlot(session, 'transcription', () =>
      transcribeAudio.executeWithOptions({ summary: 'speech to text' }, [session]),
    );
    if (status !== 'transcribed') return showEnd(status);
    showStatus({ SessionStatus: 'analyzing' });
  }
  const { status, delivery_id, webhook_host, first_attempt } = await runInSlot(session, 'analysis', () =>
    analyzeConversation.executeWithOptions({ summary: 'language model' }, [{ ...session, delivers: true }]),
  );
  if (delivery_id === null || status === 'gone') return showEnd(status);
  // Said once for both: in the task that ends the run it costs no write to Temporal's visibility.
  showStatus({ SessionStatus: status, DeliveryStatus: first_attempt?.status ?? 'pending', WebhookHost: webhook_host });
  await deliver(session, { delivery_id, ...(webhook_host !== undefined && { webhook_host }) }, first_attempt);
}

function runInSlot<T extends { status: string }>(session: AnalyzeSessionInput, step: Step, ask: () => Promise<T>) {
  const goOn = (refused_asks: number) => continueRun<typeof analyzeSession>({ ...session, refused_asks });
  const wait = { status: STATUS_OF_STEP[step], ask, refused: session.refused_asks, goOn };
  return endOnFailure(session, step, () => waitForSlot(wait));
}

/** Delivers in this run, and where that waits for long in those that continue it. */
const deliver = (session: AnalyzeSessionInput, delivery: DeliverWebhookInput, made?: EndedAttempt) =>
  deliverWebhook(delivery, (next) => continueRun<typeof analyzeSession>({ ...session, delivery: next }), made);

function showEnd(status: SessionStatus | 'gone'): void {
  if (status === 'gone') return setCurrentDetails('The session was withdrawn or deleted before it ran.');
  showStatus({ SessionStatus: status });
  // The run fails too, so that its id stays free for a retry.
  if (status === 'failed') throw ApplicationFailure.nonRetryable('the session had failed before', 'failed_before');
}

/**
 * Runs one step. If it fails, stores that and fails the workflow as well: operators see it, and its id may run again.
 */
async function endOnFailure<T>(session: AnalyzeSessionInput, step: Step, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (failure) {
    if (failure instanceof ContinueAsNew) throw failure;
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
