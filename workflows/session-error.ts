import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import type { Step } from '../contract/constants.ts';
import type { SessionError } from '../contract/sessions.ts';

/** Returns the error that a session keeps of a step that failed for good. */
export function toSessionError(failure: unknown, stage: Step): SessionError {
  const cause = failure instanceof ActivityFailure ? failure.cause : failure;
  const reported = cause instanceof ApplicationFailure ? (cause.details?.[0] as SessionError | undefined) : undefined;
  if (reported) return reported;
  const message =
    cause instanceof TimeoutFailure ? 'no worker finished the step in time' : 'the step failed unexpectedly';
  return { code: 'internal', stage, provider: null, message, retryable: true };
}
