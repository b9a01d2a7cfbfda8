/** Failures of a session's steps. */
import { ActivityFailure, ApplicationFailure, TimeoutFailure, TimeoutType } from '@temporalio/common';
import type { Stage } from '../contract/values/constants.ts';
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
    } catch (failure) {
      const cause = failure instanceof ActivityFailure ? failure.cause : undefined;
      const isWorkerLost = cause instanceof TimeoutFailure && cause.timeoutType === TimeoutType.HEARTBEAT;
      if (!isWorkerLost) throw failure;
      if (lost < MAX_LOST_WORKERS) continue;
      const message = `the step was stopped: ${MAX_LOST_WORKERS} workers in a row stopped responding during it`;
      throw ApplicationFailure.nonRetryable(message, 'internal', internalError(stage, message));
    }
  }
}

/** Returns the error to store for a step that failed finally. */
export function toSessionError(failure: unknown, stage: Stage): SessionError {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  const reported = cause instanceof ApplicationFailure ? (cause.details?.[0] as SessionError | undefined) : undefined;
  const isTimeout = cause instanceof TimeoutFailure;
  return (
    reported ?? internalError(stage, isTimeout ? 'no worker finished the step in time' : 'the step failed unexpectedly')
  );
}

const internalError = (stage: Stage, message: string): SessionError => ({
  code: 'internal',
  stage,
  provider: null,
  message,
  retryable: true,
});
