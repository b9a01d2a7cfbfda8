import {
  ActivityCancellationType,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
  type ActivityOptions,
} from '@temporalio/workflow';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Activities } from '../activities/index.ts';
import type { SessionStatus, Stage } from '../contract/values/constants.ts';
import { AWAITED_PRIORITY, transcriptionQueueOf, type AnalyzeSessionInput } from '../contract/workflows.ts';
import { BOOKKEEPING, deliverWebhook } from './deliver-webhook.ts';
import { showStatus } from './search-attributes.ts';
import { limitLostWorkers, LOST_WORKER, toSessionError } from './step-failures.ts';

/**
 * The activity decides how often and how long a provider is retried. A step that waits in the queue or for a retry holds
 * no slot. A running step sends a heartbeat every 5 s.
 */
const STEP = {
  scheduleToCloseTimeout: '2 days',
  heartbeatTimeout: '15 s',
  // A canceled call still records its cost.
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
      LOST_WORKER,
    ],
  },
} satisfies ActivityOptions;

const { transcribeAudio, analyzeConversation } = proxyActivities<Activities>({
  // Longer than all calls of a step: an analysis makes at most six, of `PROVIDER_TIMEOUT_S` each.
  startToCloseTimeout: '3 hours',
  ...STEP,
});
const { fetchAudio } = proxyActivities<Activities>({
  // Longer than one download.
  startToCloseTimeout: '75 minutes',
  ...STEP,
});
const { endSession } = proxyActivities<Activities>(BOOKKEEPING);

/** Runs one session: download by URL if requested, speech-to-text for voice, the language model, then the webhook. The history contains only IDs and codes. */
export async function analyzeSession(session: AnalyzeSessionInput): Promise<void> {
  const { taskQueue, priority = {} } = workflowInfo();
  const caller = { payer: priority.fairnessKey ?? '', is_awaited: priority.priorityKey === AWAITED_PRIORITY };
  const input = { ...session, caller };
  if (session.fetches) {
    const { status } = await endOnFailure(session, 'fetch', () =>
      fetchAudio.executeWithOptions({ summary: 'Download of the recording' }, [input]),
    );
    if (status !== 'fetched') return showEnd(status);
    showStatus({ SessionStatus: 'transcribing' });
  }
  if (session.type === 'voice') {
    const { status } = await endOnFailure(session, 'transcription', () =>
      transcribeAudio.executeWithOptions({ summary: 'Speech to text', taskQueue: transcriptionQueueOf(taskQueue) }, [
        input,
      ]),
    );
    if (status !== 'transcribed') return showEnd(status);
    showStatus({ SessionStatus: 'analyzing' });
  }
  const { status, delivery_id } = await endOnFailure(session, 'analysis', () =>
    analyzeConversation.executeWithOptions({ summary: 'Language model' }, [input]),
  );
  if (delivery_id === null || status === 'gone') return showEnd(status);
  await deliverWebhook({ delivery_id }, status);
}

function showEnd(status: SessionStatus | 'gone'): void {
  if (status === 'gone') return setCurrentDetails('The session was deleted before it ran.');
  showStatus({ SessionStatus: status });
  // A failed run leaves its ID free for a retry.
  if (status === 'failed') throw ApplicationFailure.nonRetryable('the session has already failed', 'failed_before');
}

/** Runs one step. If it fails, stores the failure and fails the workflow, which leaves its ID free for a retry. */
async function endOnFailure<T>(session: AnalyzeSessionInput, stage: Stage, run: () => Promise<T>): Promise<T> {
  try {
    return await limitLostWorkers(stage, run);
  } catch (failure) {
    // The second condition: a worker that died could not report the cancellation.
    if (isCancellation(failure) || CancellationScope.current().consideredCancelled) {
      await CancellationScope.nonCancellable(() => endSession({ ...session, end: { status: 'canceled' } }));
      showStatus({ SessionStatus: 'canceled' });
      throw new CancelledFailure('the session was canceled');
    }
    const error = toSessionError(failure, stage);
    await endSession({ ...session, end: { status: 'failed', error } });
    showStatus({ SessionStatus: 'failed' });
    setCurrentDetails(`Failed: ${error.message}`);
    throw ApplicationFailure.nonRetryable(`${error.stage} failed: ${error.message}`, error.code);
  }
}
