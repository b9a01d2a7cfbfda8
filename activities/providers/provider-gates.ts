/** A circuit breaker and a bulkhead per step and provider, so a provider that is down or slow never uses up a worker. */
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
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/values/constants.ts';
import type { ProviderFault, ProviderName, Step } from '../../contract/values/constants.ts';
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

/** `local` has a gate for each step: these are two servers. */
export interface GateKey {
  step: Step;
  provider: ProviderName;
}

export interface ProviderGates {
  /**
   * Runs `work`, which calls the provider. Throws `CircuitOpenError` if the provider is down, and the bulkhead's refusal
   * if this worker has no place for the caller.
   */
  call<T>(key: GateKey, caller: Caller, work: () => Promise<T>): Promise<T>;
  /** Returns the providers of the step whose bulkhead has no place for the caller. */
  findFull(step: Step, caller: Caller): ProviderName[];
  /** Returns the bulkhead's refusal. */
  refusal(key: GateKey, caller: Caller): Error;
  findOpenCircuits(): ReportedCircuit[];
}

interface ProviderGatesOptions {
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
  const gatesOf = (step: Step, names: readonly ProviderName[], slots: number) => {
    const places = Math.max(1, Math.floor(slots / 2));
    return new Map(names.map((provider) => [provider, createGate({ step, provider }, places, backoff)]));
  };
  const gates: Record<Step, Map<ProviderName, Gate>> = {
    analysis: gatesOf('analysis', LLM_PROVIDERS, analysisSlots),
    transcription: gatesOf('transcription', STT_PROVIDERS, transcriptionSlots),
  };
  const gateOf = ({ step, provider }: GateKey) => gates[step].get(provider) as Gate;
  return {
    call: (key, caller, work) => gateOf(key).call(caller, work),
    findFull: (step, caller) =>
      [...gates[step]].flatMap(([name, { bulkhead }]) => (bulkhead.isFullFor(caller) ? name : [])),
    refusal: (key, caller) => gateOf(key).bulkhead.refusal(caller),
    findOpenCircuits: () =>
      Object.values(gates).flatMap((ofStep) => [...ofStep.values()].flatMap((gate) => gate.findOpenCircuit() ?? [])),
  };
}

interface Gate {
  bulkhead: FairBulkhead;
  call<T>(caller: Caller, work: () => Promise<T>): Promise<T>;
  findOpenCircuit(): ReportedCircuit | undefined;
}

function createGate({ step, provider }: GateKey, places: number, backoff: typeof PAUSE): Gate {
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
      openedAt === undefined
        ? undefined
        : { provider, step, reason, open_ms: Math.round(performance.now() - openedAt) },
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
