/** Runs the paid steps of a session: liveness, cancellation, and when to try again. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { OUTAGE_FAULTS } from '../../contract/constants.ts';
import type { Step } from '../../contract/constants.ts';
import type { SessionError } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import type { FairShares } from '../../runtime/fair-shares.ts';
import { reportingLife } from '../report-life.ts';
import { VendorError } from '../vendors/vendor-error.ts';

/** The first wait between tries; each further wait is twice as long, up to `MAX_BACKOFF_MS`. */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Runs one step and reports that it lives. Throws an error that tells Temporal whether and when to run it again. */
export async function runStep<T>(
  step: Step,
  session: SessionModel,
  retryWindowMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  try {
    return await reportingLife(() => run(context.cancellationSignal));
  } catch (error) {
    if (context.cancellationSignal.aborted) throw interruption(context);
    if (!(error instanceof VendorError)) throw error;
    throw await asFailure(error, step, session, retryWindowMs, context.info.attempt);
  }
}

/**
 * Waits for the user's share of what a worker holds at once, and returns what gives it back. Throws as an aborted step
 * does.
 */
export async function waitForShare(shares: FairShares, userId: string, amount: number): Promise<() => void> {
  const context = Context.current();
  try {
    return await reportingLife(() => shares.take(userId, amount, context.cancellationSignal));
  } catch {
    throw interruption(context);
  }
}

/**
 * Returns the error of an aborted step. A worker that shuts down cancels its activities too; then nobody asked for it,
 * and another worker goes on.
 */
function interruption(context: Context): Error {
  if (context.cancellationDetails?.cancelRequested) return new CancelledFailure('canceled on request');
  return ApplicationFailure.retryable('the worker shut down before the step ended', 'worker_shutdown');
}

/** Returns whether the same step may succeed later. */
const isPassing = ({ fault, isFinal }: VendorError) => !isFinal || OUTAGE_FAULTS.includes(fault);

async function asFailure(
  error: VendorError,
  stage: Step,
  session: SessionModel,
  retryWindowMs: number,
  attempt: number,
) {
  const { fault: code, message, details } = error;
  const failure: SessionError = { code, stage, provider: details.provider, message, retryable: isPassing(error) };
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  const delayMs = Math.max(backoff, details.retryAfterMs ?? 0);
  const isOver = error.isFinal || Date.now() + delayMs > (await failingSince(session, stage)) + retryWindowMs;
  return ApplicationFailure.create({
    message,
    type: code,
    details: [failure],
    nonRetryable: isOver,
    ...(!isOver && { nextRetryDelay: delayMs }),
  });
}

/**
 * Returns when the retry window began, in milliseconds since 1970: at the first answer that failed and not at the first
 * call, so that a night during which no worker ran does not use it up.
 */
async function failingSince(session: SessionModel, step: Step): Promise<number> {
  const first = await VendorCallModel.findFailingSince(session.id, step, session.resumed_at ?? session.queued_at);
  return first?.getTime() ?? Date.now();
}
