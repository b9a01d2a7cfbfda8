/** What a session does while its vendor is away: docs/decisions.md, "Vendor away". */
import { ApplicationFailure } from '@temporalio/common';
import type { ProviderName, Step, VendorFault } from '../../contract/constants.ts';
import { OUTAGE_FAULTS, VENDOR_FAULTS } from '../../contract/constants.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { VendorOutageModel } from '../../db/models/vendor-outage.ts';
import { endOutage, findLongestWaiting, waitForVendor } from '../../db/queries/vendor-waits.ts';
import { signalWorkflow } from '../../runtime/temporal/runs.ts';
import { SIGNALS } from '../../contract/workflows.ts';
import { findFallback, withFallback } from './fallback.ts';
import type { VendorSilence } from './vendor-silence.ts';
import { wakeQueuedSessions } from './wake-queued-sessions.ts';
import type { WakeQueuedSessionsDeps } from './wake-queued-sessions.ts';

/** How long a vendor is tried before the fallback is asked. */
const FALLBACK_AFTER_MS = 60_000;

export interface OutageDeps extends WakeQueuedSessionsDeps {
  retryWindowMs: number;
  silence: VendorSilence;
}

/** Returns whether it does something else than fail while its vendor is away. */
export const heedsOutages = (session: SessionModel, step: Step) =>
  session.on_vendor_outage === 'wait' || findFallback(session, step) !== undefined;

export interface OutageCall<T> {
  session: SessionModel;
  step: Step;
  provider: ProviderName;
  /** Runs the step. Faults that may pass are tried again for the time that it gets. */
  run: (session: SessionModel, retryWindowMs: number) => Promise<T>;
}

/**
 * Runs a step. Where its vendor is away the fallback does it, if the assistant has one. Returns `waits` if nobody answers
 * and the session is one that waits: it is back in the queue then, and its slot is free.
 */
export async function duringOutages<T>(deps: OutageDeps, call: OutageCall<T>): Promise<T | 'waits'> {
  const { session, step, provider } = call;
  const { retryWindowMs } = deps;
  if (!heedsOutages(session, step)) return ask(deps, call, retryWindowMs);
  const hasFallback = findFallback(session, step) !== undefined;
  const outage = await VendorOutageModel.find(provider);
  if (outage && !(await VendorOutageModel.takeProbe(provider, session.id))) return goAround(deps, call, outage.reason);
  const firstWindowMs = hasFallback ? Math.min(FALLBACK_AFTER_MS, retryWindowMs) : retryWindowMs;
  try {
    const result = await ask(deps, call, outage ? 0 : firstWindowMs);
    if (outage) await tellReturn(deps, provider);
    return result;
  } catch (error) {
    const fault = faultOf(error);
    if (fault !== undefined && isAway(fault) && (isFinal(error) || deps.silence.isSilent(provider))) {
      if (outage) await VendorOutageModel.endProbe(provider, session.id);
      return goAround(deps, call, fault);
    }
    // Whoever refuses a request is there.
    if (outage && fault !== undefined) await tellReturn(deps, provider);
    else if (outage) await VendorOutageModel.dropProbe(provider, session.id);
    throw error;
  }
}

/** Runs the step with the session's own vendor, and notes how that answered. */
async function ask<T>({ silence }: OutageDeps, { session, provider, run }: OutageCall<T>, retryWindowMs: number) {
  try {
    const result = await run(session, retryWindowMs);
    silence.note(provider, session.id);
    return result;
  } catch (error) {
    const fault = faultOf(error);
    if (fault !== undefined) silence.note(provider, session.id, fault);
    throw error;
  }
}

/** Has the fallback do what the vendor can't, or has the session wait. */
async function goAround<T>(deps: OutageDeps, call: OutageCall<T>, reason: VendorFault): Promise<T | 'waits'> {
  const { session, step, provider, run } = call;
  const fallback = findFallback(session, step);
  if (!fallback) return wait(deps, call, reason);
  await VendorOutageModel.begin(provider, reason);
  try {
    return await run(withFallback(session, fallback, { step, reason }), deps.retryWindowMs);
  } catch (error) {
    const fault = faultOf(error);
    const isOver = fault !== undefined && isFinal(error) && isAway(fault);
    if (session.on_vendor_outage !== 'wait' || !isOver) throw error;
    return wait(deps, call, reason);
  }
}

const isAway = (fault: VendorFault) => OUTAGE_FAULTS.includes(fault);

/** Returns the vendor's fault of a step that failed; undefined where no vendor did. */
function faultOf(error: unknown): VendorFault | undefined {
  return error instanceof ApplicationFailure ? VENDOR_FAULTS.find((fault) => fault === error.type) : undefined;
}

/** Returns whether a step failed for good; else it is to run again. */
const isFinal = (error: unknown) => error instanceof ApplicationFailure && error.nonRetryable === true;

async function wait<T>(deps: OutageDeps, { session, provider }: OutageCall<T>, reason: VendorFault): Promise<'waits'> {
  if (await waitForVendor(session.id, provider, reason)) await wakeOthers(deps, session.user_id);
  return 'waits';
}

async function tellReturn(deps: OutageDeps, provider: ProviderName): Promise<void> {
  await endOutage(provider);
  deps.log.info({ provider }, 'a vendor is back');
  await wakeOthers(deps);
}

/** Should it fail, those who wait ask again by themselves, and the sweep calls them. */
async function wakeOthers(deps: OutageDeps, userId?: string): Promise<void> {
  await wakeQueuedSessions(deps, userId).catch((err: unknown) => {
    deps.log.warn({ err }, 'sessions that may go on are not woken');
  });
}

/** Has each vendor that is away called once, where that is due, by the session that has waited longest for it. */
export async function probeVendors({ client }: Pick<OutageDeps, 'client'>): Promise<void> {
  for (const { provider } of await VendorOutageModel.findDue()) {
    const session = await findLongestWaiting(provider);
    if (session) await signalWorkflow(client, session.id, SIGNALS.slotFree);
    else await endOutage(provider);
  }
}
