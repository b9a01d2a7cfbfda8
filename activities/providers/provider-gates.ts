/** A circuit breaker and a bulkhead per provider, so a provider that is down or slow never uses up a worker. */
import { performance } from 'node:perf_hooks';
import {
  BrokenCircuitError,
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleWhen,
  noJitterGenerator,
} from 'cockatiel';
import { LLM_PROVIDERS, PROVIDERS } from '../../contract/constants.ts';
import type { ProviderFault, ProviderName } from '../../contract/constants.ts';
import type { Caller } from '../../contract/workflows.ts';
import type { ReportedCircuit } from '../../db/models/worker.ts';
import { createFairBulkhead } from '../fair-bulkhead.ts';
import type { FairBulkhead } from '../fair-bulkhead.ts';
import { ProviderError } from './provider-error.ts';

/** Consecutive failed calls after which the circuit opens. */
const FAILURES = 5;

/** Pause before a test call. It doubles with each failed test. */
const PAUSE = { initialDelay: 5_000, maxDelay: 60_000 };

/** Refusals and rate limits do not count: the provider is up. */
const BREAKING_FAULTS: readonly ProviderFault[] = ['unavailable', 'timeout'];

/** The call was not made, because the provider is down. */
export class CircuitOpenError extends ProviderError {
  override name = 'CircuitOpenError';

  constructor(provider: ProviderName, reason: ProviderFault) {
    super(reason, 'is not available', { provider });
  }
}

export interface ProviderGates {
  /**
   * Runs `work`, which calls the provider. Throws `CircuitOpenError` if the provider is down, and the bulkhead's refusal
   * if this worker has no place for the caller.
   */
  call<T>(provider: ProviderName, caller: Caller, work: () => Promise<T>): Promise<T>;
  /** Returns the providers whose bulkhead has no place for the caller. */
  findFull(caller: Caller): ProviderName[];
  /** Returns the bulkhead's refusal. */
  refusal(provider: ProviderName, caller: Caller): Error;
  findOpenCircuits(): ReportedCircuit[];
}

export interface ProviderGatesOptions {
  /** Concurrent steps of this worker. A provider gets half of them. */
  analysisSlots: number;
  transcriptionSlots: number;
  backoff?: typeof PAUSE;
}

export function createProviderGates({
  analysisSlots,
  transcriptionSlots,
  backoff = PAUSE,
}: ProviderGatesOptions): ProviderGates {
  const entries = PROVIDERS.map((name) => {
    const slots = LLM_PROVIDERS.some((llm) => llm === name) ? analysisSlots : transcriptionSlots;
    return [name, createGate(name, Math.max(1, Math.floor(slots / 2)), backoff)];
  });
  const gates = Object.fromEntries(entries) as Record<ProviderName, Gate>;
  return {
    call: (provider, caller, work) => gates[provider].call(caller, work),
    findFull: (caller) => PROVIDERS.filter((name) => gates[name].bulkhead.isFullFor(caller)),
    refusal: (provider, caller) => gates[provider].bulkhead.refusal(caller),
    findOpenCircuits: () => Object.values(gates).flatMap((gate) => gate.findOpenCircuit() ?? []),
  };
}

interface Gate {
  bulkhead: FairBulkhead;
  call<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
  findOpenCircuit(): ReportedCircuit | undefined;
}

function createGate(provider: ProviderName, places: number, backoff: typeof PAUSE): Gate {
  const bulkhead = createFairBulkhead(places, `calls to ${provider}`);
  let reason: ProviderFault = 'unavailable';
  /** By `performance.now`. */
  let openedAt: number | undefined;

  function isFailure(error: unknown): boolean {
    // The circuit closes only if the provider answers the test call.
    if (!(error instanceof ProviderError)) return breaker.state === CircuitState.HalfOpen;
    if (!BREAKING_FAULTS.includes(error.fault)) return false;
    reason = error.fault;
    return true;
  }

  const breaker = circuitBreaker(handleWhen(isFailure), {
    breaker: new ConsecutiveBreaker(FAILURES),
    halfOpenAfter: new ExponentialBackoff({ ...backoff, generator: noJitterGenerator }),
  });
  breaker.onBreak(() => void (openedAt ??= performance.now()));
  breaker.onReset(() => void (openedAt = undefined));

  return {
    bulkhead,
    findOpenCircuit: () =>
      openedAt === undefined ? undefined : { provider, reason, open_ms: Math.round(performance.now() - openedAt) },
    async call(caller, work) {
      // cockatiel lets further callers wait until the test ends. Here they would hold slots.
      const mustFail =
        breaker.state === CircuitState.HalfOpen || (openedAt !== undefined && bulkhead.isFullFor(caller));
      if (mustFail) throw new CircuitOpenError(provider, reason);
      return bulkhead.run(caller, async () => {
        try {
          return await breaker.execute(work);
        } catch (error) {
          throw error instanceof BrokenCircuitError ? new CircuitOpenError(provider, reason) : error;
        }
      });
    },
  };
}
