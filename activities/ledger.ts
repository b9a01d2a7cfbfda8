/** Every call to a vendor goes through here: a row before it is made, the same row when it ends. */
import { ApplicationFailure } from '@temporalio/common';
import type { ProviderName, Step } from '../contract/constants.ts';
import type { SessionModel } from '../db/models/session.ts';
import { VendorCallModel } from '../db/models/vendor-call.ts';
import type { CallUsage } from '../db/models/vendor-call.ts';
import { isDeeperThan, MAX_JSON_DEPTH, storableJson } from '../runtime/storable.ts';
import { persist } from './persist.ts';
import type { PriceOf } from './pricing.ts';
import { VendorError } from './vendor-error.ts';

/** Above what the retry window allows; only a fault of our own could make a step call so often, and each call costs. */
const MAX_CALLS_PER_RUN = 25;

export interface CallToRecord {
  session: SessionModel;
  step: Step;
  provider: ProviderName;
  model: string | null;
  signal: AbortSignal;
}

/** What every vendor's answer has in common. */
export interface CallReport {
  usage: CallUsage | null;
  /** The vendor's own charge, preferred to the price list. */
  costUsd?: number;
  vendorRequestId: string | null;
  envelope: unknown;
}

/** Makes the call and records it. Throws what the call throws; a paid answer is not given up while the database is away. */
export async function recordCall<T extends CallReport>(
  { priceOf }: { priceOf: PriceOf },
  { session, step, provider, model, signal }: CallToRecord,
  call: () => Promise<T>,
): Promise<T> {
  const attempt = await openCall(session, step, provider, model);
  const close = (end: Parameters<typeof VendorCallModel.close>[1]) =>
    VendorCallModel.close({ session_id: session.id, step, attempt }, end);
  let report: T;
  try {
    report = await call();
  } catch (error) {
    await close(describeFailure(error, (usage) => priceOf(provider, model, usage)));
    throw error;
  }
  const { usage, costUsd, vendorRequestId, envelope } = report;
  await persist(
    () =>
      close({
        status: 'succeeded',
        usage,
        cost_usd: costUsd ?? priceOf(provider, model, usage),
        vendor_request_id: vendorRequestId,
        envelope: isDeeperThan(envelope, MAX_JSON_DEPTH) ? null : storableJson(envelope),
      }),
    signal,
  );
  return report;
}

/** An earlier call that is still open belongs to a worker that died: nobody knows how it ended. */
async function openCall(session: SessionModel, step: Step, provider: ProviderName, model: string | null) {
  const earlier = await VendorCallModel.findStep(session.id, step);
  const inThisRun = earlier.filter((call) => call.started_at >= session.queued_at);
  if (inThisRun.length >= MAX_CALLS_PER_RUN) {
    throw ApplicationFailure.nonRetryable(`the step called ${provider} ${inThisRun.length} times`, 'internal');
  }
  const attempt = (earlier.at(-1)?.attempt ?? 0) + 1;
  const { id: session_id, user_id, assistant_id } = session;
  if (earlier.some((call) => call.status === 'running')) await VendorCallModel.closeLost(session_id);
  await VendorCallModel.open({ session_id, user_id, assistant_id, step, attempt, provider, model });
  return attempt;
}

function describeFailure(error: unknown, priceOf: (usage: CallUsage | null) => number | null) {
  if (!(error instanceof VendorError)) {
    const message = 'the call was given up before it answered';
    return { status: 'failed' as const, error: { fault: 'canceled' as const, http_status: null, message } };
  }
  const { fault, message, details } = error;
  const { usage = null, httpStatus = null, vendorRequestId = null } = details;
  return {
    status: 'failed' as const,
    usage,
    // A vendor that answers with an error status takes nothing; one that never answered may have.
    cost_usd: httpStatus !== null && httpStatus >= 400 ? 0 : priceOf(usage),
    vendor_request_id: vendorRequestId,
    error: { fault, http_status: httpStatus, message },
  };
}
