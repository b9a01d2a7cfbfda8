/** A circuit and a bulkhead per step and provider, so a provider that is down or slow never uses up a worker. */
import type { ProviderFault, ProviderName, Step } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Caller } from '../../../contract/workflows.ts';
import type { ReportedCircuit } from '../../../db/models/worker.ts';
import { createFairBulkhead, type FairBulkhead } from '../../bulkhead.ts';
import { createCircuit, type Circuit, type PAUSE } from './circuit.ts';
import { ProviderError } from './provider-error.ts';

/** The call was not made, because the provider is down. */
export class CircuitOpenError extends ProviderError {
  override name = 'CircuitOpenError';

  constructor(provider: ProviderName, reason: ProviderFault) {
    super(reason, ['not_available'], { provider });
  }
}

/** `local` has a gate for each step: these are two servers. */
export interface GateKey {
  step: Step;
  provider: ProviderName;
}

export interface ProviderGates {
  /**
   * Runs a step in a place of the provider. Throws `CircuitOpenError` if the provider is down, and the bulkhead's refusal
   * if this worker has no place for the caller.
   */
  run<T>(key: GateKey, caller: Caller, work: () => Promise<T>): Promise<T>;
  circuitOf(key: GateKey): Circuit;
  /** Returns the providers of the step without a place for the caller, except those that are down: their steps must not wait for a place. */
  findFull(step: Step, caller: Caller): ProviderName[];
  refusal(key: GateKey, caller: Caller): Error;
  findOpenCircuits(): ReportedCircuit[];
}

/** @param callsPerProvider concurrent calls of this worker to one provider in one step. */
export function createProviderGates(callsPerProvider: number, pause?: typeof PAUSE): ProviderGates {
  const gatesOf = (names: readonly ProviderName[]) => {
    const entries = names.map((provider): [ProviderName, Gate] => {
      const circuit = createCircuit((reason) => new CircuitOpenError(provider, reason), pause);
      return [provider, { circuit, bulkhead: createFairBulkhead(callsPerProvider, `calls to ${provider}`) }];
    });
    return new Map(entries);
  };
  const gates: Record<Step, Map<ProviderName, Gate>> = {
    analysis: gatesOf(LLM_PROVIDERS),
    transcription: gatesOf(STT_PROVIDERS),
  };
  const gateOf = ({ step, provider }: GateKey) => gates[step].get(provider) as Gate;
  return {
    async run(key, caller, work) {
      const { circuit, bulkhead } = gateOf(key);
      const reason = circuit.findRefusal() ?? (bulkhead.isFullFor(caller) ? circuit.report()?.reason : undefined);
      if (reason) throw new CircuitOpenError(key.provider, reason);
      return bulkhead.run(caller, work);
    },
    circuitOf: (key) => gateOf(key).circuit,
    findFull: (step, caller) =>
      [...gates[step]].flatMap(([name, { bulkhead, circuit }]) =>
        bulkhead.isFullFor(caller) && !circuit.report() ? name : [],
      ),
    refusal: (key, caller) => gateOf(key).bulkhead.refusal(caller),
    findOpenCircuits: () =>
      (['analysis', 'transcription'] as const).flatMap((step) =>
        [...gates[step]].flatMap(([provider, { circuit }]) => {
          const report = circuit.report();
          return report ? { provider, step, ...report } : [];
        }),
      ),
  };
}

interface Gate {
  bulkhead: FairBulkhead;
  circuit: Circuit;
}
