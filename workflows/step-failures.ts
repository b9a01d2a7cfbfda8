/** Failures of a session's steps. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import type { Stage } from '../contract/values/constants.ts';
import { failure, type FailureSaid } from '../contract/errors/failures.ts';
import type { SessionError } from '../contract/errors/session-error.ts';

/** In an activity's retry policy, leaves the retries after a missed heartbeat to the workflow, which counts them. */
export const LOST_WORKER = 'TemporalTimeout:Heartbeat';

/** A step that loses more workers may be the cause. */
const MAX_LOST_WORKERS = 3;

/** Retries a step if its worker stops responding. Fails with `internal` after the third worker. */
export async function limitLostWorkers<T>(stage: Stage, run: () => Promise<T>): Promise<T> {
  for (let lost = 1; ; lost++) {
    try {
      return await run();
    } catch (error) {
      const cause = error instanceof ActivityFailure ? error.cause : undefined;
      const isWorkerLost = cause instanceof TimeoutFailure && cause.timeoutType === TimeoutType.HEARTBEAT;
      if (!isWorkerLost) throw error;
      if (lost < MAX_LOST_WORKERS) continue;
      const lostError = internalError(stage, failure('workers_lost', { count: MAX_LOST_WORKERS }));
      throw ApplicationFailure.nonRetryable(lostError.message, 'internal', lostError);
    }
  }
}

/** Returns the error to store for a step that failed finally. */
export function toSessionError(error: unknown, stage: Stage): SessionError {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const reported = cause instanceof ApplicationFailure ? (cause.details?.[0] as SessionError | undefined) : undefined;
  const isTimeout = cause instanceof TimeoutFailure;
  return reported ?? internalError(stage, failure(isTimeout ? 'no_worker' : 'step_failed'));
}

const internalError = (stage: Stage, said: FailureSaid): SessionError => ({
  code: 'internal',
  stage,
  provider: null,
  ...said,
  retryable: true,
});
