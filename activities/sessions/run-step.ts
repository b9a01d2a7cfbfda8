/** What the paid steps of a session have in common: liveness, cancellation, and when to try again. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Step } from '../../contract/constants.ts';
import type { SessionError } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { VendorError } from '../vendors/vendor-error.ts';

/** A worker that dies is noticed after the heartbeat time-out, of which this is a small part. */
const HEARTBEAT_MS = 2_000;

/** Waits between tries: 1 s, 2 s, 4 s … */
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/** Runs one step with heartbeats and turns its end into what Temporal is to do next. */
export async function runStep<T>(
  step: Step,
  session: SessionModel,
  retryWindowMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  try {
    return await run(context.cancellationSignal);
  } catch (error) {
    if (context.cancellationSignal.aborted) throw interruption(context);
    if (!(error instanceof VendorError)) throw error;
    throw await asFailure(error, step, session, retryWindowMs, context.info.attempt);
  } finally {
    clearInterval(heart);
  }
}

/** A worker that shuts down cancels its activities too: that is nobody's wish, and another worker goes on. */
function interruption(context: Context): Error {
  if (context.cancellationDetails?.cancelRequested) return new CancelledFailure('canceled on request');
  return ApplicationFailure.retryable('the worker shut down before the step ended', 'worker_shutdown');
}

async function asFailure(
  error: VendorError,
  stage: Step,
  session: SessionModel,
  retryWindowMs: number,
  attempt: number,
) {
  const { fault: code, message, details } = error;
  const failure: SessionError = { code, stage, provider: details.provider, message, retryable: !error.isFinal };
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
 * The window counts from the first answer that failed, not from the first call: a night during which no worker ran does
 * not use it up.
 */
async function failingSince(session: SessionModel, step: Step): Promise<number> {
  const first = await VendorCallModel.findFailingSince(session.id, step, session.queued_at);
  return first?.getTime() ?? Date.now();
}
