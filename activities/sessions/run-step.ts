/** Runs the paid steps of a session: heartbeats, cancellation, retries and the fallback. */
import { performance } from 'node:perf_hooks';
import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { failure } from '../../contract/errors/failures.ts';
import {
  OUTAGE_FAULTS,
  type ProviderFault,
  type ProviderName,
  type SessionStatus,
  type Step,
} from '../../contract/values/constants.ts';
import { findFallback, type StepFallback } from '../../contract/sessions/fallback.ts';
import { retirementOf } from '../../contract/values/providers.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import type { Caller } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findUnbegunStep, type BegunStep } from '../../db/queries/session-status.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import { CircuitOpenError, type ProviderBulkheads } from '../providers/policy/provider-bulkheads.ts';
import { ProviderError } from '../providers/policy/provider-error.ts';
import { startHeartbeat } from '../heartbeat.ts';
import { economyMs } from './economy.ts';
import { withFallback } from './fallback.ts';

export interface RunStepDeps {
  bulkheads: ProviderBulkheads;
  /** How long a failing provider is retried, unless the session waits for the end of an outage. */
  retryWindowMs: number;
}

/** How long a provider is retried if the session waits for the end of an outage. */
const OUTAGE_WINDOW_MS = 24 * 3_600_000;

/** How long a provider is retried before the fallback is used. An open circuit or a final fault uses it immediately. */
const FALLBACK_AFTER_MS = 60_000;

/** The first delays double. Later delays are half of the time since the first failure. */
const MIN_DELAY_MS = 1_000;
const DOUBLING_MS = 10_000;
const MAX_DELAY_MS = 300_000;

/** The shortest delay while the provider's circuit is open. */
const OPEN_CIRCUIT_DELAY_MS = 10_000;

interface StepRun<T> extends BegunStep {
  step: Step;
  provider: ProviderName;
  caller: Caller;
  /** Runs first, without a slot of the provider. */
  prepare?: (session: SessionModel, signal: AbortSignal) => Promise<void>;
  /** Makes the calls of the step with the providers of the session's settings, and stores the result. */
  run: (session: SessionModel, signal: AbortSignal) => Promise<T>;
}

/**
 * Runs one step with the session's provider or, if that is down, with the fallback. Sends heartbeats meanwhile. Throws
 * a failure with which Temporal retries the step later, or not at all.
 */
export async function runStep<T>(deps: RunStepDeps, step: StepRun<T>): Promise<T> {
  const context = Context.current();
  const { cancellationSignal: signal } = context;
  const { session, step: name, provider, caller, prepare, run } = step;
  const { waiting, assistant, audio } = session;
  const planRetry = createPlan(step.waitedMs, name === 'analysis' ? economyMs(step, caller) : 0);
  const stopHeartbeat = startHeartbeat();
  try {
    await prepare?.(session, signal);
    warnOfRetirement(provider, name === 'analysis' ? assistant.llm_model : assistant.stt_model);
    // A person knows that the provider is back before the circuit does.
    if (waiting?.now) deps.bulkheads.circuitOf({ step: name, provider }).testNow();
    const requested = waiting && findFallback(waiting.fallback, audio, name);
    let [by, current] = [provider, session];
    const useFallback = (fallback: StepFallback, reason: ProviderFault) => {
      by = fallback.provider;
      current = withFallback(session, fallback, { step: name, reason });
    };
    if (requested) useFallback(requested, waiting.reason);
    for (;;) {
      let release: (() => void) | undefined;
      try {
        release = deps.bulkheads.claim({ step: name, provider: by }, caller);
        return await run(current, signal);
      } catch (error) {
        const fallback = current === session && !signal.aborted && findFallback(assistant.fallback, audio, name);
        if (!fallback || !isOutage(error) || !isDown(deps, error, planRetry)) throw error;
        useFallback(fallback, error.fault);
      } finally {
        release?.();
      }
    }
  } catch (failure) {
    if (signal.aborted) throw interruption(context);
    const error = failure instanceof RedactionError ? redactionFailure(step, failure) : failure;
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn('a call to a provider failed', namesOf(step, error));
    throw await asFailure(deps, step, error, planRetry(error));
  } finally {
    stopHeartbeat();
  }
}

/** Returns whether the fallback is used after this outage. */
function isDown({ retryWindowMs }: RunStepDeps, error: ProviderError, planRetry: PlanRetry): boolean {
  if (error.isFinal || error instanceof CircuitOpenError) return true;
  return planRetry(error).totalMs > Math.min(FALLBACK_AFTER_MS, retryWindowMs);
}

/** Returns what the operator and the provider's support need: codes, never sentences of the provider. */
function namesOf({ session, step }: StepRun<unknown>, { fault, details }: ProviderError): Record<string, unknown> {
  const { provider, httpStatus: http_status = null, providerRequestId: provider_request_id = null, refusal } = details;
  return { session_id: session.id, step, provider, fault, http_status, provider_request_id, ...refusal };
}

/** Returns the outage of the recognizer, or the failure of a step whose conversation cannot be redacted. */
function redactionFailure({ step }: StepRun<unknown>, { fault, message }: RedactionError): Error {
  if (fault === 'unavailable') return new ProviderError(fault, ['recognizer_down'], { provider: 'recognizer' });
  const error: SessionError = {
    code: 'internal',
    stage: step,
    provider: null,
    ...failure('redaction_failed', { problem: message }),
    retryable: fault !== 'too_large',
  };
  return ApplicationFailure.nonRetryable(error.message, error.code, error);
}

interface RetryPlan {
  delayMs: number;
  /** Time from the first failure of the step to the retry, less the time that it may wait for half the price. */
  totalMs: number;
}

type PlanRetry = (error: ProviderError) => RetryPlan;

/**
 * Returns a function that returns the same plan for the same error. Delays are random, so two plans for one error could
 * contradict each other: no fallback yet, and no time left for a retry.
 * @param waitedMs time since the first failure of the step when it begins; 0: none.
 */
function createPlan(waitedMs: number, economicalMs: number): PlanRetry {
  const started = performance.now();
  const plans = new Map<ProviderError, RetryPlan>();
  return (error) => {
    const sinceMs = waitedMs && waitedMs + performance.now() - started;
    const delayMs = retryDelay(error, sinceMs);
    const plan = plans.get(error) ?? { delayMs, totalMs: sinceMs + delayMs - economicalMs };
    plans.set(error, plan);
    return plan;
  };
}

const warned = new Set<string | null>();

/** Logs once that the provider ends a model. The SDKs, which print it as plain lines, are silent. */
function warnOfRetirement(provider: ProviderName, model: string | null): void {
  const retires_on = retirementOf(provider, model);
  if (retires_on === null || warned.has(model)) return;
  warned.add(model);
  Context.current().log.warn('the provider ends this model', { provider, model, retires_on });
}

const isOutage = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && OUTAGE_FAULTS.includes(error.fault);

/**
 * Returns the error of an aborted step: canceled on request, or interrupted by a shutdown of the worker, after which
 * another worker runs the step.
 */
export function interruption(context: Context): Error {
  if (context.cancellationDetails?.cancelRequested) return new CancelledFailure('canceled on request');
  return ApplicationFailure.retryable('the worker shut down before the step ended', 'worker_shutdown');
}

/** Returns a signal of a cancellation on request. The shutdown of the worker does not abort it: a paid response is stored first. */
export function canceledOnRequest(): AbortSignal {
  const context = Context.current();
  const canceled = new AbortController();
  const onAbort = () => context.cancellationDetails?.cancelRequested && canceled.abort(interruption(context));
  if (context.cancellationSignal.aborted) onAbort();
  context.cancellationSignal.addEventListener('abort', onAbort, { once: true });
  return canceled.signal;
}

/** Returns whether the step may succeed later. */
const isRetryable = (error: ProviderError) =>
  !error.isFinal || error.fault === 'incomplete' || OUTAGE_FAULTS.includes(error.fault);

async function asFailure(
  { retryWindowMs }: RunStepDeps,
  { session, step }: StepRun<unknown>,
  error: ProviderError,
  { delayMs: plannedMs, totalMs }: RetryPlan,
) {
  // Another session tests the provider. If that succeeds, this one does not wait any longer.
  const isNext = session.waiting?.now === true && error instanceof CircuitOpenError;
  const delayMs = isNext ? OPEN_CIRCUIT_DELAY_MS : plannedMs;
  const { fault, said, details } = error;
  const { provider } = details;
  const waits = session.on_provider_outage === 'wait' && isOutage(error);
  const windowMs = waits ? OUTAGE_WINDOW_MS : retryWindowMs;
  // A quota whose end the reply names is used again then, if that is soon enough.
  const ends = fault === 'quota_exceeded' && details.retryAfterMs !== undefined;
  const isOver = (error.isFinal && !waits && !ends) || totalMs > windowMs;
  const stored: SessionError = { code: fault, stage: step, provider, ...said, retryable: isRetryable(error) };
  if (!isOver) await SessionModel.storeWaiting(session.id, { provider, reason: fault, delayMs, now: isNext });
  return ApplicationFailure.create({
    message: said.message,
    type: fault,
    details: [stored],
    nonRetryable: isOver,
    ...(!isOver && { nextRetryDelay: delayMs }),
  });
}

/** Returns milliseconds. The random part spreads the retries of sessions that failed together. */
function retryDelay(error: ProviderError, waitedMs: number): number {
  const growing = waitedMs < DOUBLING_MS ? waitedMs : Math.min(waitedMs / 2, MAX_DELAY_MS);
  const floor = error instanceof CircuitOpenError ? OPEN_CIRCUIT_DELAY_MS : MIN_DELAY_MS;
  const spread = Math.max(growing, floor) * (0.75 + Math.random() / 2);
  return Math.round(Math.max(spread, error.details.retryAfterMs ?? 0));
}

/**
 * Returns the status of a session whose step did not run or store a result: the session has ended, or is `gone`. Throws
 * the bulkhead's refusal if the session has not ended.
 */
export async function requireEnded(
  sessionId: string,
  step: Step,
  refusal: (provider: ProviderName) => Error,
): Promise<SessionStatus | 'gone'> {
  const found = await findUnbegunStep(sessionId, step);
  if (found && !found.hasEnded) throw refusal(found.provider);
  return found?.status ?? 'gone';
}
