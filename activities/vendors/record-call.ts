/** Records every call to a vendor in the ledger: a row before the call, and the same row when it ends. */
import { SpanKind } from '@opentelemetry/api';
import { ApplicationFailure } from '@temporalio/common';
import type { Transaction } from 'objection';
import type { ProviderName, Step } from '../../contract/constants.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { roundUsd, VendorCallModel } from '../../db/models/vendor-call.ts';
import type { BudgetLimits, CallUsage, ClosedCall } from '../../db/models/vendor-call.ts';
import { vendorCallEnded } from '../../runtime/telemetry/events.ts';
import type { EndedCall } from '../../runtime/telemetry/events.ts';
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson } from '../../runtime/postgres-safe.ts';
import { inSpan } from '../../runtime/telemetry/tracing.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import type { AssumePrice, PriceOf } from './pricing.ts';
import type { SessionError } from '../../contract/sessions.ts';
import { VendorError } from './vendor-error.ts';

/**
 * Calls of a step in one run. The retry window allows fewer: only a bug here could make so many, and each costs money.
 */
const MAX_CALLS_PER_RUN = 25;

/** Milliseconds after which a call that waits for the end of others asks again: about as long as a call takes. */
const BUDGET_WAIT_MS = 2_000;

export interface RecordCallDeps {
  priceOf: PriceOf;
  assumePrice: AssumePrice;
  budgets: BudgetLimits;
  /** Sessions of one user that may be in flight. */
  maxSessionsInFlight: number;
}

/** Says that no call was made since the session has no slot: it must wait for one, has ended, or is gone. */
export class NoSlotError extends Error {
  override name = 'NoSlotError';
}

export interface CallToRecord {
  session: SessionModel;
  step: Step;
  provider: ProviderName;
  model: string | null;
  /** The highest counts that the vendor may report. */
  estimate: CallUsage;
  signal: AbortSignal;
}

/** The fields that every vendor's answer has. */
export interface CallReport {
  usage: CallUsage | null;
  /** The vendor's own charge in US dollars, which counts before the price list. */
  costUsd?: number;
  vendorRequestId: string | null;
  vendorResponse: unknown;
}

/**
 * A job that the vendor works on by itself. Its id is stored, so that a crash neither loses nor repeats what is paid
 * for.
 */
export interface VendorJob {
  /** Id that an earlier run of the same call stored; null if there is none yet. */
  readonly id: string | null;
  /** Stores the id. Called once, right after the vendor took the job. */
  save(id: string): Promise<void>;
}

/** A call that is paid for and whose row does not say so yet. */
export interface PaidCall {
  closed: ClosedCall;
  /** What the session's calls cost, this one included, in US dollars; undefined where nobody asked. */
  sessionCost: number | undefined;
}

/**
 * Closes the call and stores what was read from its answer, both or neither. It may run again after the database was
 * away.
 */
export type Settled<R> = (call: PaidCall) => Promise<R>;

/** Closes a call, and stores with it what `store` stores. */
export function closePaid<R>({ closed }: PaidCall, store: (trx: Transaction) => Promise<R>): Promise<R> {
  return VendorCallModel.transaction(async (trx) => {
    const { session_id, step, attempt, ...end } = closed;
    await VendorCallModel.close({ session_id, step, attempt }, end, trx);
    return store(trx);
  });
}

/**
 * Makes the call, records it, and returns what is stored. `settle` reads the paid answer and returns what stores it and
 * marks the call as paid. A paid answer is not given up while the database is away. Throws what the
 * call throws, and `NoSlotError`.
 */
export async function recordCall<T extends CallReport, R>(
  deps: RecordCallDeps,
  callToRecord: CallToRecord,
  call: (job: VendorJob) => Promise<T>,
  settle: (report: T) => Settled<R> | Promise<Settled<R>>,
): Promise<R> {
  const { session, step, provider, signal } = callToRecord;
  const open = await openCall(deps, callToRecord);
  const key = { session_id: session.id, step, attempt: open.attempt };
  const job = trackJob(open.jobId, (id) => retryWhileDatabaseDown(() => VendorCallModel.saveJob(key, id), signal));
  let report: T;
  const started = performance.now();
  const tellEnd = (fault: EndedCall['fault']) =>
    vendorCallEnded.tell({ provider, step, fault, durationMs: performance.now() - started });
  try {
    const attributes = { 'cas.session_id': session.id, 'cas.step': step, 'cas.provider': provider };
    report = await inSpan(`${provider} ${step}`, { kind: SpanKind.CLIENT, attributes }, () => call(job));
    tellEnd(null);
  } catch (error) {
    tellEnd(error instanceof VendorError ? error.fault : 'canceled');
    const goesOn = job.id !== null && !(error instanceof VendorError && error.isFinal);
    if (!goesOn)
      await VendorCallModel.close(
        key,
        failedCall(error, (usage) => priceCall(deps, callToRecord, usage)),
      );
    throw error;
  }
  const { usage, costUsd, vendorRequestId, vendorResponse } = report;
  const closed: ClosedCall = {
    ...key,
    status: 'succeeded',
    ended_at: new Date(),
    usage,
    ...(costUsd === undefined ? priceCall(deps, callToRecord, usage) : { cost_usd: costUsd }),
    vendor_request_id: vendorRequestId,
    vendor_response: isDeeperThan(vendorResponse, MAX_JSON_DEPTH) ? null : postgresSafeJson(vendorResponse),
  };
  const { costBefore } = open;
  const sessionCost = costBefore === undefined ? undefined : roundUsd(costBefore + (closed.cost_usd ?? 0));
  const settled = await settle(report);
  return retryWhileDatabaseDown(() => settled({ closed, sessionCost }), signal);
}

function trackJob(id: string | null, store: (id: string) => Promise<void>): VendorJob {
  return {
    get id() {
      return id;
    },
    async save(submitted) {
      id = submitted;
      await store(submitted);
    },
  };
}

/** Opens the call's row, or takes up a job that a dead worker left instead of making a new call. */
async function openCall(deps: RecordCallDeps, { session, step, provider, model, estimate }: CallToRecord) {
  const { id: session_id, user_id, assistant_id, queued_at, resumed_at } = session;
  const left = step === 'transcription' ? await VendorCallModel.findOpenJob(session_id, step) : undefined;
  if (left) return { attempt: left.attempt, jobId: left.vendor_job_id, costBefore: undefined };
  const reserved_usd = deps.priceOf(provider, model, estimate) ?? deps.assumePrice(estimate);
  const { attempt, refusal, cost_before } = await VendorCallModel.open(
    { session_id, user_id, assistant_id, step, provider, model, reserved_usd },
    {
      ...{ since: resumed_at ?? queued_at, maxCalls: MAX_CALLS_PER_RUN },
      ...{ maxInFlight: deps.maxSessionsInFlight, budgets: deps.budgets },
    },
  );
  if (attempt !== null) return { attempt, jobId: null, costBefore: cost_before };
  switch (refusal) {
    case 'no_slot':
      throw new NoSlotError();
    case 'too_many_calls':
      throw ApplicationFailure.nonRetryable(`the step called ${provider} ${MAX_CALLS_PER_RUN} times`, 'internal');
    case 'budget_reserved':
      throw ApplicationFailure.create({
        message: 'what is left of the budget is reserved by calls under way',
        type: 'budget_reserved',
        nextRetryDelay: BUDGET_WAIT_MS,
      });
    case 'budget_spent':
      throw budgetExceeded(step, 'the monthly budget is used up');
    case 'installation_budget_spent':
      throw budgetExceeded(step, 'the monthly budget of this installation is used up');
  }
}

/**
 * Returns the call's cost, or where the price is not known the amount that it counts for in budgets. A call of which
 * the vendor reports no usage may have been billed, so it goes on to count by its estimate.
 */
function priceCall(
  { priceOf, assumePrice }: RecordCallDeps,
  { provider, model }: Pick<CallToRecord, 'provider' | 'model'>,
  usage: CallUsage | null,
): Partial<Pick<VendorCallModel, 'cost_usd' | 'reserved_usd'>> {
  const cost_usd = priceOf(provider, model, usage);
  return { cost_usd, ...(cost_usd === null && usage !== null && { reserved_usd: assumePrice(usage) }) };
}

/** Returns the failure of a step whose call was never made, because a budget is used up. Nothing was spent. */
function budgetExceeded(stage: Step, message: string): ApplicationFailure {
  const failure: SessionError = { code: 'budget_exceeded', stage, provider: null, message, retryable: true };
  return ApplicationFailure.nonRetryable(message, failure.code, failure);
}

function failedCall(error: unknown, price: (usage: CallUsage | null) => ReturnType<typeof priceCall>) {
  if (!(error instanceof VendorError)) {
    const message = 'the call was given up before it answered';
    return { status: 'failed' as const, error: { fault: 'canceled' as const, http_status: null, message } };
  }
  const { fault, message, details } = error;
  const { usage = null, httpStatus = null, vendorRequestId = null } = details;
  return {
    status: 'failed' as const,
    usage,
    // A vendor charges nothing for an error status, but may have charged for a call that it never answered.
    ...(httpStatus !== null && httpStatus >= 400 ? { cost_usd: 0 } : price(usage)),
    vendor_request_id: vendorRequestId,
    error: { fault, http_status: httpStatus, message },
  };
}
