/** A circuit and a bulkhead per step and provider, so a provider that is down or slow never uses up a worker. */
import type { ProviderFault, ProviderName, Step } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Caller } from '../../../contract/workflows.ts';
import type { ReportedCircuit } from '../../../db/models/worker.ts';
import { createBulkhead, type Bulkhead } from '../../bulkhead.ts';
import { createCircuit, type Circuit, type PAUSE } from './circuit.ts';
import { ProviderError } from './provider-error.ts';

/** The call was not made, because the provider is down. */
export class CircuitOpenError extends ProviderError {
  override name = 'CircuitOpenError';

  constructor(provider: ProviderName, reason: ProviderFault) {
    super(reason, ['not_available'], { provider });
  }
}

/** `local` has a bulkhead for each step: these are two servers. */
export interface BulkheadKey {
  step: Step;
  provider: ProviderName;
}

export interface ProviderBulkheads {
  /**
   * Claims a slot for a step. Returns the function that releases it. Throws `CircuitOpenError` if the provider is down, and
   * the bulkhead's refusal if this worker has no slot for the caller.
   */
  claim(key: BulkheadKey, caller: Caller): () => void;
  circuitOf(key: BulkheadKey): Circuit;
  /** Returns the providers of the step without a slot for the caller, except those that are down: their steps must not wait for one. */
  findWithoutSlot(step: Step, caller: Caller): ProviderName[];
  refusal(key: BulkheadKey, caller: Caller): Error;
  findOpenCircuits(): ReportedCircuit[];
}

interface Guard {
  bulkhead: Bulkhead;
  circuit: Circuit;
}

/** @param slots concurrent calls of this worker to one provider in one step. */
export function createProviderBulkheads(slots: number, pause?: typeof PAUSE): ProviderBulkheads {
  const guardsOf = (names: readonly ProviderName[]) => {
    const entries = names.map((provider): [ProviderName, Guard] => {
      const circuit = createCircuit((reason) => new CircuitOpenError(provider, reason), pause);
      return [provider, { circuit, bulkhead: createBulkhead(slots, `calls to ${provider}`) }];
    });
    return new Map(entries);
  };
  const guards: Record<Step, Map<ProviderName, Guard>> = {
    analysis: guardsOf(LLM_PROVIDERS),
    transcription: guardsOf(STT_PROVIDERS),
  };
  const guardOf = ({ step, provider }: BulkheadKey) => guards[step].get(provider) as Guard;
  return {
    claim(key, caller) {
      const { circuit, bulkhead } = guardOf(key);
      const reason = circuit.findRefusal() ?? (bulkhead.hasSlotFor(caller) ? undefined : circuit.report()?.reason);
      if (reason) throw new CircuitOpenError(key.provider, reason);
      return bulkhead.claim(caller);
    },
    circuitOf: (key) => guardOf(key).circuit,
    findWithoutSlot: (step, caller) =>
      [...guards[step]].flatMap(([name, { bulkhead, circuit }]) =>
        bulkhead.hasSlotFor(caller) || circuit.report() ? [] : name,
      ),
    refusal: (key, caller) => guardOf(key).bulkhead.refusal(caller),
    findOpenCircuits: () =>
      (['analysis', 'transcription'] as const).flatMap((step) =>
        [...guards[step]].flatMap(([provider, { circuit }]) => {
          const report = circuit.report();
          return report ? { provider, step, ...report } : [];
        }),
      ),
  };
}
