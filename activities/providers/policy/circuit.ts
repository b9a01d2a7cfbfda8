/** A circuit breaker around the requests to one provider. A call that ends without an outcome leaves the test to the next one. */
import { performance } from 'node:perf_hooks';
import type { ProviderFault } from '../../../contract/values/constants.ts';
import type { ReportedCircuit } from '../../../db/models/worker.ts';
import { ProviderError } from './provider-error.ts';

/** Consecutive failed calls after which the circuit opens, and of how many sessions: one may fail because of its content. */
const FAILURES = 5;
const SESSIONS = 2;

/** Pause before a test call. It doubles with each failed test. */
export const PAUSE = { initialMs: 5_000, maxMs: 60_000 };

export interface Circuit {
  /** Why no step may call the provider now; undefined if one may. */
  findRefusal(): ProviderFault | undefined;
  /** Begins a call. Throws the refusal while the circuit is open, except for one call at a time that tests the provider. */
  begin(sessionId?: string): CircuitCall;
  /** Ends the pause before the next test. */
  testNow(): void;
  /** Returns why and since when the circuit is open, until the provider answers a call. */
  report(): Pick<ReportedCircuit, 'reason' | 'open_ms'> | undefined;
}

export interface CircuitCall {
  /** Notes the outcome of the request: undefined is an answer. Errors other than `ProviderError` change nothing. */
  settle(error?: unknown): void;
  /** Ends the call, with or without an outcome. */
  end(): void;
}

/** @param refuse returns the error for a call that must not be made. */
export function createCircuit(refuse: (reason: ProviderFault) => Error, pause: typeof PAUSE = PAUSE): Circuit {
  let failures = 0;
  const failed = new Set<string>();
  let isTesting = false;
  /** Times by `performance.now`. */
  let open: { since: number; reason: ProviderFault; pauseMs: number; testAt: number } | undefined;

  const findRefusal = () => (open && (isTesting || performance.now() < open.testAt) ? open.reason : undefined);

  function countFailure(reason: ProviderFault, sessionId: string): void {
    const now = performance.now();
    failures += 1;
    if (failed.size < SESSIONS) failed.add(sessionId);
    if (open ? now < open.testAt : failures < FAILURES || failed.size < SESSIONS) return;
    const pauseMs = open ? Math.min(2 * open.pauseMs, pause.maxMs) : pause.initialMs;
    open = { since: open?.since ?? now, reason, pauseMs, testAt: now + pauseMs };
  }

  function close(): void {
    failures = 0;
    failed.clear();
    open = undefined;
  }

  return {
    findRefusal,
    begin(sessionId = `call ${failures}`) {
      const reason = findRefusal();
      if (reason) throw refuse(reason);
      const isTest = open !== undefined;
      if (isTest) isTesting = true;
      return {
        settle(error) {
          // A provider that refuses a request, or limits the rate, is up.
          if (error instanceof ProviderError && error.isOutage) countFailure(error.fault, sessionId);
          else if (error === undefined || error instanceof ProviderError) close();
        },
        end: () => void (isTest && (isTesting = false)),
      };
    },
    testNow() {
      if (open) open.testAt = Math.min(open.testAt, performance.now());
    },
    report: () => open && { reason: open.reason, open_ms: Math.round(performance.now() - open.since) },
  };
}
