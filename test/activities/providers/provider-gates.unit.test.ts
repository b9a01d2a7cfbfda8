import { expect } from 'chai';
import {
  CircuitOpenError,
  createProviderGates,
  type GateKey,
  type ProviderGates,
} from '../../../activities/providers/policy/provider-slots.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { ProviderFault } from '../../../contract/values/constants.ts';
import type { Caller } from '../../../contract/workflows.ts';
import { eventually } from '../../support/eventually.ts';

const CALLER: Caller = { payer: 'a', is_awaited: false };
const PAUSE_MS = 100;
const OPENAI: GateKey = { step: 'analysis', provider: 'openai' };

describe('The gate of a provider', () => {
  const newGates = (places = 100, pauseMs = PAUSE_MS) =>
    createProviderGates(places, { initialMs: pauseMs, maxMs: pauseMs });

  /** A step that makes one request. */
  const step = <T>(gates: ProviderGates, key: GateKey, send: () => Promise<T>) => {
    const circuit = gates.circuitOf(key);
    return gates.run(key, CALLER, () => circuit.enter(() => circuit.request(send)));
  };

  const failing = (fault: ProviderFault) => () =>
    Promise.reject(new ProviderError(fault, ['not_available'], { provider: 'openai' }));

  const call = (gates: ProviderGates, work: () => Promise<unknown>) =>
    step(gates, OPENAI, work).then(
      (result) => result,
      (error: unknown) => error,
    );

  async function open(gates: ProviderGates, fault: ProviderFault = 'unavailable'): Promise<void> {
    for (let i = 0; i < 5; i++) await call(gates, failing(fault));
  }

  const untilTested = (gates: ProviderGates, work: () => Promise<unknown>) =>
    eventually(
      () => call(gates, work),
      (outcome) => !(outcome instanceof CircuitOpenError),
    );

  for (const fault of ['unavailable', 'timeout'] as const) {
    it(`opens after five consecutive calls that failed with ${fault}, and reports since when and why`, async () => {
      const gates = newGates(100, 60_000);
      for (let i = 0; i < 4; i++) await call(gates, failing(fault));
      expect(gates.findOpenCircuits()).to.deep.equal([]);
      await call(gates, failing(fault));
      const [circuit] = gates.findOpenCircuits();
      expect(circuit).to.include({ provider: 'openai', reason: fault });
      expect(circuit?.open_ms).to.be.within(0, 5_000);
      let calls = 0;
      const error = await call(gates, async () => (calls += 1));
      expect(error).to.be.instanceOf(CircuitOpenError).and.to.include({ fault });
      expect(calls).to.equal(0);
    });
  }

  it('stays closed for a provider that responds, even with errors', async () => {
    const gates = newGates();
    for (let i = 0; i < 12; i++) {
      await call(gates, failing('unavailable'));
      await call(gates, failing(i % 2 === 0 ? 'rate_limited' : 'bad_input'));
      if (i % 4 === 3) await call(gates, async () => 'answered');
    }
    expect(gates.findOpenCircuits()).to.deep.equal([]);
  });

  it('stays closed while only one session fails, which may be because of its content', async () => {
    const gates = newGates();
    const circuit = gates.circuitOf(OPENAI);
    const fail = (session: string) => circuit.request(failing('timeout'), session).catch(() => undefined);
    for (let i = 0; i < 12; i++) await fail('sess_1');
    expect(gates.findOpenCircuits()).to.deep.equal([]);
    await fail('sess_2');
    expect(gates.findOpenCircuits()).to.have.length(1);
  });

  it('stays closed for replies that refuse a request, whatever their fault', async () => {
    const gates = newGates();
    const details = { provider: 'openai', httpStatus: 200 } as const;
    const refused = () => Promise.reject(new ProviderError('unavailable', ['not_available'], details));
    for (let i = 0; i < 12; i++) await call(gates, refused);
    expect(gates.findOpenCircuits()).to.deep.equal([]);
  });

  it('does not affect other providers', async () => {
    const gates = newGates();
    await open(gates);
    expect(await step(gates, { step: 'analysis', provider: 'anthropic' }, async () => 'answered')).to.equal('answered');
  });

  it('is separate for each step of the provider local', async () => {
    const gates = newGates();
    const analysis: GateKey = { step: 'analysis', provider: 'local' };
    for (let i = 0; i < 5; i++) await step(gates, analysis, failing('unavailable')).catch(() => undefined);
    expect(gates.findOpenCircuits()).to.have.length(1);
    expect(gates.findOpenCircuits()[0]).to.include(analysis);
    const transcription: GateKey = { step: 'transcription', provider: 'local' };
    expect(await step(gates, transcription, async () => 'answered')).to.equal('answered');
  });

  it('allows one call after a pause and refuses others; a success closes the circuit', async () => {
    const gates = newGates();
    await open(gates);
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    let tests = 0;
    const test = eventually(
      () => {
        const outcome = call(gates, () => {
          tests += 1;
          return answered;
        });
        return Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 5, 'waits'))]);
      },
      (outcome) => outcome === 'waits',
    );
    await test;
    for (let i = 0; i < 10; i++) expect(await call(gates, async () => 'no')).to.be.instanceOf(CircuitOpenError);
    expect(tests).to.equal(1);
    answer('answered');
    await eventually(
      () => gates.findOpenCircuits(),
      (circuits) => circuits.length === 0,
    );
    expect(await call(gates, async () => 'answered')).to.equal('answered');
  });

  it('stays open if that call fails, and is tested again at once after a test without an outcome', async () => {
    const gates = newGates();
    await open(gates);
    const [first] = gates.findOpenCircuits();
    expect(await untilTested(gates, failing('timeout'))).to.be.instanceOf(ProviderError);
    expect(gates.findOpenCircuits()[0]).to.include({ reason: 'timeout' });
    expect(gates.findOpenCircuits()[0]?.open_ms).to.be.at.least(first?.open_ms ?? Infinity);
    const neutral = new Error('canceled, or the budget is used up');
    expect(await untilTested(gates, () => Promise.reject(neutral))).to.equal(neutral);
    expect(gates.findOpenCircuits()).to.have.length(1);
    expect(await call(gates, () => Promise.reject(neutral))).to.equal(neutral);
    expect(await call(gates, async () => 'answered')).to.equal('answered');
    expect(gates.findOpenCircuits()).to.deep.equal([]);
  });

  it('does not open because of errors that are not of the provider', async () => {
    const gates = newGates();
    for (let i = 0; i < 12; i++) await call(gates, () => Promise.reject(new Error('no database')));
    expect(gates.findOpenCircuits()).to.deep.equal([]);
  });

  it('closes if the provider refuses that request, because the provider is then available', async () => {
    const gates = newGates();
    await open(gates);
    await untilTested(gates, failing('bad_input'));
    expect(gates.findOpenCircuits()).to.deep.equal([]);
  });

  it('limits the calls to one provider, and does not report a provider that is down as full', async () => {
    const gates = newGates(10, 60_000);
    const { promise: held, resolve: free } = Promise.withResolvers<void>();
    const running: Promise<unknown>[] = [];
    let calls = 0;
    for (let workspace = 0; workspace < 40; workspace++) {
      const caller = { payer: String(workspace), is_awaited: true };
      const outcome = gates.run(OPENAI, caller, async () => {
        calls += 1;
        await held;
      });
      running.push(outcome.catch(() => undefined));
    }
    expect(calls).to.equal(10);
    expect(gates.findFull('analysis', CALLER)).to.deep.equal(['openai']);
    expect(await step(gates, { step: 'analysis', provider: 'anthropic' }, async () => 'answered')).to.equal('answered');
    const circuit = gates.circuitOf(OPENAI);
    for (let i = 0; i < 5; i++) await circuit.request(failing('timeout')).catch(() => undefined);
    expect(gates.findFull('analysis', CALLER)).to.deep.equal([]);
    expect(await call(gates, async () => 'answered')).to.be.instanceOf(CircuitOpenError);
    free();
    await Promise.all(running);
    expect(gates.findFull('analysis', CALLER)).to.deep.equal([]);
  });
});
