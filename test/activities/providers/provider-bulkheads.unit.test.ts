import {
  CircuitOpenError,
  createProviderBulkheads,
  type BulkheadKey,
  type ProviderBulkheads,
} from '../../../activities/providers/policy/provider-bulkheads.ts';
import type { Circuit } from '../../../activities/providers/policy/circuit.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { ProviderFault } from '../../../contract/values/constants.ts';
import type { Caller } from '../../../contract/workflows.ts';
import { eventually } from '../../support/eventually.ts';

const CALLER: Caller = { payer: 'a', is_awaited: false };
const PAUSE_MS = 100;
const OPENAI: BulkheadKey = { step: 'analysis', provider: 'openai' };

describe('The bulkhead and the circuit of a provider', () => {
  const newBulkheads = (slots = 100, pauseMs = PAUSE_MS) =>
    createProviderBulkheads(slots, { initialMs: pauseMs, maxMs: pauseMs });

  const request = async <T>(circuit: Circuit, send: () => Promise<T>, session?: string) => {
    const begun = circuit.begin(session);
    try {
      const answer = await send();
      begun.settle();
      return answer;
    } catch (error) {
      begun.settle(error);
      throw error;
    } finally {
      begun.end();
    }
  };

  /** A step that makes one request. */
  const step = async <T>(bulkheads: ProviderBulkheads, key: BulkheadKey, send: () => Promise<T>) => {
    const release = bulkheads.claim(key, CALLER);
    return request(bulkheads.circuitOf(key), send).finally(release);
  };

  const failing = (fault: ProviderFault) => () =>
    Promise.reject(new ProviderError(fault, ['not_available'], { provider: 'openai' }));

  const call = (bulkheads: ProviderBulkheads, work: () => Promise<unknown>) =>
    step(bulkheads, OPENAI, work).then(
      (result) => result,
      (error: unknown) => error,
    );

  async function open(bulkheads: ProviderBulkheads, fault: ProviderFault = 'unavailable'): Promise<void> {
    for (let i = 0; i < 5; i++) await call(bulkheads, failing(fault));
  }

  const untilTested = (bulkheads: ProviderBulkheads, work: () => Promise<unknown>) =>
    eventually(
      () => call(bulkheads, work),
      (outcome) => !(outcome instanceof CircuitOpenError),
    );

  for (const fault of ['unavailable', 'timeout'] as const) {
    it(`opens after five consecutive calls that failed with ${fault}, and reports since when and why`, async () => {
      const bulkheads = newBulkheads(100, 60_000);
      for (let i = 0; i < 4; i++) await call(bulkheads, failing(fault));
      expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
      await call(bulkheads, failing(fault));
      const [circuit] = bulkheads.findOpenCircuits();
      expect(circuit).to.include({ provider: 'openai', reason: fault });
      expect(circuit?.open_ms).to.be.within(0, 5_000);
      let calls = 0;
      const error = await call(bulkheads, async () => (calls += 1));
      expect(error).to.be.instanceOf(CircuitOpenError).and.to.include({ fault });
      expect(calls).to.equal(0);
    });
  }

  it('stays closed for a provider that responds, even with errors', async () => {
    const bulkheads = newBulkheads();
    for (let i = 0; i < 12; i++) {
      await call(bulkheads, failing('unavailable'));
      await call(bulkheads, failing(i % 2 === 0 ? 'rate_limited' : 'bad_input'));
      if (i % 4 === 3) await call(bulkheads, async () => 'answered');
    }
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
  });

  it('stays closed while only one session fails, which may be because of its content', async () => {
    const bulkheads = newBulkheads();
    const circuit = bulkheads.circuitOf(OPENAI);
    const fail = (session: string) => request(circuit, failing('timeout'), session).catch(() => undefined);
    for (let i = 0; i < 12; i++) await fail('sess_1');
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
    await fail('sess_2');
    expect(bulkheads.findOpenCircuits()).to.have.length(1);
  });

  it('stays closed for replies that refuse a request, whatever their fault', async () => {
    const bulkheads = newBulkheads();
    const details = { provider: 'openai', httpStatus: 200 } as const;
    const refused = () => Promise.reject(new ProviderError('unavailable', ['not_available'], details));
    for (let i = 0; i < 12; i++) await call(bulkheads, refused);
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
  });

  it('does not affect other providers', async () => {
    const bulkheads = newBulkheads();
    await open(bulkheads);
    expect(await step(bulkheads, { step: 'analysis', provider: 'anthropic' }, async () => 'answered')).to.equal(
      'answered',
    );
  });

  it('is separate for each step of the provider local', async () => {
    const bulkheads = newBulkheads();
    const analysis: BulkheadKey = { step: 'analysis', provider: 'local' };
    for (let i = 0; i < 5; i++) await step(bulkheads, analysis, failing('unavailable')).catch(() => undefined);
    expect(bulkheads.findOpenCircuits()).to.have.length(1);
    expect(bulkheads.findOpenCircuits()[0]).to.include(analysis);
    const transcription: BulkheadKey = { step: 'transcription', provider: 'local' };
    expect(await step(bulkheads, transcription, async () => 'answered')).to.equal('answered');
  });

  it('allows one call after a pause and refuses others; a success closes the circuit', async () => {
    const bulkheads = newBulkheads();
    await open(bulkheads);
    const { promise: answered, resolve: answer } = Promise.withResolvers<string>();
    let tests = 0;
    const test = eventually(
      () => {
        const outcome = call(bulkheads, () => {
          tests += 1;
          return answered;
        });
        return Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 5, 'waits'))]);
      },
      (outcome) => outcome === 'waits',
    );
    await test;
    for (let i = 0; i < 10; i++) expect(await call(bulkheads, async () => 'no')).to.be.instanceOf(CircuitOpenError);
    expect(tests).to.equal(1);
    answer('answered');
    await eventually(
      () => bulkheads.findOpenCircuits(),
      (circuits) => circuits.length === 0,
    );
    expect(await call(bulkheads, async () => 'answered')).to.equal('answered');
  });

  it('stays open if that call fails, and is tested again at once after a test without an outcome', async () => {
    const bulkheads = newBulkheads();
    await open(bulkheads);
    const [first] = bulkheads.findOpenCircuits();
    expect(await untilTested(bulkheads, failing('timeout'))).to.be.instanceOf(ProviderError);
    expect(bulkheads.findOpenCircuits()[0]).to.include({ reason: 'timeout' });
    expect(bulkheads.findOpenCircuits()[0]?.open_ms).to.be.at.least(first?.open_ms ?? Infinity);
    const neutral = new Error('canceled, or the budget is used up');
    expect(await untilTested(bulkheads, () => Promise.reject(neutral))).to.equal(neutral);
    expect(bulkheads.findOpenCircuits()).to.have.length(1);
    expect(await call(bulkheads, () => Promise.reject(neutral))).to.equal(neutral);
    expect(await call(bulkheads, async () => 'answered')).to.equal('answered');
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
  });

  it('does not open because of errors that are not of the provider', async () => {
    const bulkheads = newBulkheads();
    for (let i = 0; i < 12; i++) await call(bulkheads, () => Promise.reject(new Error('no database')));
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
  });

  it('closes if the provider refuses that request, because the provider is then available', async () => {
    const bulkheads = newBulkheads();
    await open(bulkheads);
    await untilTested(bulkheads, failing('bad_input'));
    expect(bulkheads.findOpenCircuits()).to.deep.equal([]);
  });

  it('limits the calls to one provider, and does not report a provider that is down as full', async () => {
    const bulkheads = newBulkheads(10, 60_000);
    const releases: (() => void)[] = [];
    for (let workspace = 0; workspace < 40; workspace++) {
      const caller = { payer: String(workspace), is_awaited: true };
      try {
        releases.push(bulkheads.claim(OPENAI, caller));
      } catch {}
    }
    expect(releases).to.have.length(10);
    expect(bulkheads.findWithoutSlot('analysis', CALLER)).to.deep.equal(['openai']);
    expect(await step(bulkheads, { step: 'analysis', provider: 'anthropic' }, async () => 'answered')).to.equal(
      'answered',
    );
    const circuit = bulkheads.circuitOf(OPENAI);
    for (let i = 0; i < 5; i++) await request(circuit, failing('timeout')).catch(() => undefined);
    expect(bulkheads.findWithoutSlot('analysis', CALLER)).to.deep.equal([]);
    expect(await call(bulkheads, async () => 'answered')).to.be.instanceOf(CircuitOpenError);
    for (const release of releases) release();
    expect(bulkheads.findWithoutSlot('analysis', CALLER)).to.deep.equal([]);
  });
});
