/** Records every call to a provider in the ledger: a row before the call, and the same row when the call ends. */
import { SpanKind } from '@opentelemetry/api';
import { ApplicationFailure } from '@temporalio/common';
import { failure } from '../../../contract/errors/failures.ts';
import type { Transaction } from 'objection';
import type { ProviderName, Step } from '../../../contract/values/constants.ts';
import { stepProvider } from '../../../contract/values/providers.ts';
import type { SessionError } from '../../../contract/errors/session-error.ts';
import {
  ProviderCallModel,
  type BudgetLimits,
  type CallEnd,
  type CallError,
  type ClosedCall,
} from '../../../db/models/provider-call.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { isDeeperThan, MAX_JSON_DEPTH, postgresSafeJson } from '../../../runtime/postgres-safe.ts';
import { roundUsd, type CallUsage } from '../../../runtime/prices/call-usage.ts';
import type { AssumePrice, PriceOf } from '../../../runtime/prices/prices.ts';
import { providerCallEnded } from '../../../runtime/telemetry/events.ts';
import { startSpan } from '../../../runtime/telemetry/tracing.ts';
import { retryWhileDatabaseDown } from '../../retry-while-database-down.ts';
import { ProviderError } from './provider-error.ts';
import type { ProviderBulkheads } from './provider-bulkheads.ts';
import type { ServedBy } from '../transport/read-usage.ts';

/** Limit of answered and lost calls of a step in one run. Only a bug could exceed it, and each call costs money. */
const MAX_CALLS_PER_RUN = 25;

/** Pause in milliseconds before a step retries while other calls reserve the rest of the budget: about one call long. */
const BUDGET_WAIT_MS = 2_000;

export interface RecordCallDeps {
  bulkheads: ProviderBulkheads;
  priceOf: PriceOf;
  assumePrice: AssumePrice;
  budgets: BudgetLimits;
}

interface CallToRecord {
  session: SessionModel;
  step: Step;
  provider: ProviderName;
  model: string | null;
  /** The highest counts that the provider may report. */
  estimate: CallUsage;
  /** The tier that an economical session asks for. */
  tier?: ProviderCallModel['tier'];
  signal: AbortSignal;
}

/** The fields of every provider's answer. */
export interface CallReport {
  /** The provider's counts; null if missing or absurd. */
  usage: CallUsage | null;
  servedBy?: ServedBy | undefined;
  /** The provider's own charge in US dollars. It takes precedence over the price list. */
  costUsd?: number | undefined;
  providerRequestId: string | null;
  /** The provider's whole response, stored with the call. */
  providerResponse: unknown;
}

/** A job that runs at the provider. Its ID is stored, so a crash neither loses nor repeats a paid job. */
export interface ProviderJob {
  /** ID that an earlier run of the same call stored, or null. */
  readonly id: string | null;
  /** Stores the ID. Call it once, immediately after the provider accepted the job. */
  save(id: string): Promise<void>;
}

/** A call that the provider answered. */
export interface PaidCall {
  /** The end of the call, to be stored together with its result. Undefined if the row is already closed. */
  end: ClosedCall | undefined;
  /** Cost of the session's calls in US dollars, including this one. Undefined if unknown. */
  sessionCost: number | undefined;
}

/** Stores the end of a call, unless it is stored. */
export async function closeCall({ end }: PaidCall, more: Partial<CallEnd> = {}, trx?: Transaction): Promise<void> {
  if (!end) return;
  const { session_id, step, attempt, ...fields } = end;
  await ProviderCallModel.close({ session_id, step, attempt }, { ...fields, ...more }, trx);
}

/**
 * Opens a row in the ledger and makes the call. Returns the answer. The caller stores the answer and the end of the call
 * in one transaction. If the call fails, closes the row and throws the error of the call.
 */
export async function recordCall<T extends CallReport>(
  deps: RecordCallDeps,
  callToRecord: CallToRecord,
  call: (job: ProviderJob) => Promise<T>,
): Promise<{ report: T; paid: PaidCall }> {
  const { session, step, provider, tier = null } = callToRecord;
  const guarded = deps.bulkheads.circuitOf(callToRecord).begin(session.id);
  try {
    const { attempt, jobId, costBefore } = await openCall(deps, callToRecord);
    const key = { session_id: session.id, step, attempt };
    const job = {
      id: jobId,
      async save(id: string) {
        job.id = id;
        await retryWhileDatabaseDown(() => ProviderCallModel.saveJob(key, id));
      },
    };
    const attributes = { 'cas.session_id': session.id, 'cas.step': step, 'cas.provider': provider };
    const span = startSpan(`${provider} ${step}`, { kind: SpanKind.CLIENT, attributes });
    const started = performance.now();
    const report = await call(job).catch(async (error: unknown) => {
      span.end(error);
      // A tier without capacity says nothing about the provider.
      if (tier !== 'flex') guarded.settle(error);
      const failed = failedCall(deps, callToRecord, error);
      const { fault } = failed.error;
      providerCallEnded.publish({ provider, step, fault, durationMs: performance.now() - started });
      // A job continues at the provider. The next try asks for its result.
      const isJobOpen = job.id !== null && !(error instanceof ProviderError && error.isFinal);
      // If the row can't be closed, the next call of the step marks it as lost.
      if (!isJobOpen)
        await retryWhileDatabaseDown(() => ProviderCallModel.close(key, { ...failed, tier })).catch(() => undefined);
      throw error;
    });
    span.end();
    guarded.settle();
    providerCallEnded.publish({ provider, step, fault: null, durationMs: performance.now() - started });
    const { usage, providerRequestId, providerResponse } = report;
    const end: ClosedCall = {
      ...key,
      status: 'succeeded',
      tier,
      usage,
      ...priceCall(deps, callToRecord, report),
      provider_request_id: providerRequestId,
      provider_response: isDeeperThan(providerResponse, MAX_JSON_DEPTH) ? null : postgresSafeJson(providerResponse),
    };
    const sessionCost = costBefore === undefined ? undefined : roundUsd(costBefore + (end.cost_usd ?? 0));
    return { report, paid: { end, sessionCost } };
  } finally {
    guarded.end();
  }
}

/** Opens the call's row, or returns the provider's open job, which an earlier try submitted. */
async function openCall(deps: RecordCallDeps, { session, step, provider, model, estimate }: CallToRecord) {
  const { id: session_id, workspace_id, assistant_id, queued_at } = session;
  const left = stepProvider(step, provider).has_jobs
    ? await ProviderCallModel.findOpenJob({ session_id, step, provider })
    : undefined;
  if (left) return { attempt: left.attempt, jobId: left.provider_job_id, costBefore: undefined };
  const reserved_usd = deps.priceOf(provider, model, estimate) ?? deps.assumePrice(estimate);
  const { attempt, refusal, cost_before } = await ProviderCallModel.open(
    { session_id, workspace_id, assistant_id, step, provider, model, reserved_usd },
    { since: queued_at, maxCalls: MAX_CALLS_PER_RUN, budgets: deps.budgets },
  );
  if (attempt !== null) return { attempt, jobId: null, costBefore: cost_before };
  switch (refusal) {
    case 'too_many_calls':
      throw ApplicationFailure.nonRetryable(`the step called ${provider} ${MAX_CALLS_PER_RUN} times`, 'internal');
    case 'budget_reserved':
      throw ApplicationFailure.create({
        message: 'running calls reserve the rest of the budget',
        type: 'budget_reserved',
        nextRetryDelay: BUDGET_WAIT_MS,
      });
    case 'session_ended':
      // The next try returns the session's status.
      throw ApplicationFailure.retryable('the session has ended', 'session_ended');
    case 'budget_spent':
      throw budgetExceeded(step, 'budget_reached');
    case 'installation_budget_spent':
      throw budgetExceeded(step, 'installation_budget_reached');
  }
}

/**
 * Returns the call's cost: the provider's own charge, else the price of what served it. If the price is unknown, returns the
 * amount that counts in budgets. A call without reported usage may have been billed, so its estimate continues to count.
 */
function priceCall(
  { priceOf, assumePrice }: RecordCallDeps,
  { provider, model }: CallToRecord,
  { usage, costUsd, servedBy }: Pick<CallReport, 'usage' | 'costUsd' | 'servedBy'>,
): Partial<Pick<ProviderCallModel, 'cost_usd' | 'reserved_usd'>> {
  const { factor = 1 } = servedBy ?? {};
  const listed = factor === null ? null : priceOf(provider, model, usage, servedBy?.model);
  const cost_usd = costUsd ?? (listed === null ? null : roundUsd(listed * (factor ?? 1)));
  return { cost_usd, ...(cost_usd === null && usage !== null && { reserved_usd: assumePrice(usage) }) };
}

/** Returns the failure of a step if a budget is used up. The call was not made. */
function budgetExceeded(stage: Step, why: 'budget_reached' | 'installation_budget_reached'): ApplicationFailure {
  const error: SessionError = { code: 'budget_exceeded', stage, provider: null, ...failure(why), retryable: true };
  return ApplicationFailure.nonRetryable(error.message, error.code, error);
}

function failedCall(deps: RecordCallDeps, call: CallToRecord, error: unknown): CallEnd & { error: CallError } {
  if (!(error instanceof ProviderError)) {
    const { aborted } = call.signal;
    const said = failure(aborted ? 'call_canceled' : 'step_failed:call');
    return { status: 'failed', error: { fault: aborted ? 'canceled' : 'internal', http_status: null, ...said } };
  }
  const { fault, said, details } = error;
  const { message: provider_message = null } = error.reply() ?? {};
  const { usage = null, costUsd, servedBy, httpStatus = null, providerRequestId = null, refusal } = details;
  const isBilled = usage !== null || costUsd !== undefined || httpStatus === null || httpStatus < 400;
  return {
    status: 'failed',
    usage,
    // Providers charge nothing for an error status, but may charge for a call without an answer.
    ...(isBilled ? priceCall(deps, call, { usage, costUsd, servedBy }) : { cost_usd: 0 }),
    provider_request_id: providerRequestId,
    error: { fault, http_status: httpStatus, ...said, ...refusal },
    provider_message,
  };
}
