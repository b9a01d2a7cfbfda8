import { expect } from 'chai';
import { SessionModel } from '../../db/models/session.ts';
import { roundUsd, VendorCallModel } from '../../db/models/vendor-call.ts';
import { ledgerOf, newSession } from '../activities/sessions/analysis.ts';
import { createAssistant, createSession } from '../support/factories.ts';

async function call(session: SessionModel, attempt: number, fields: Partial<VendorCallModel>): Promise<void> {
  const { id: session_id, user_id, assistant_id } = session;
  const base = { session_id, user_id, assistant_id, attempt, step: 'analysis' as const, provider: 'openai' as const };
  await VendorCallModel.query().insert({ ...base, model: 'm', ...fields } as Partial<VendorCallModel>);
}

describe('The ledger of vendor calls', () => {
  it('sums every call of a session, failed and repeated ones included, by step, provider and model', async () => {
    const session = await newSession('openai');
    await call(session, 1, { status: 'failed', cost_usd: 0.1 });
    await call(session, 2, { status: 'succeeded', cost_usd: 0.2 });
    await call(session, 1, { step: 'transcription', provider: 'whisper', model: 'w', cost_usd: 0.006 });
    const cost = (await VendorCallModel.findCosts([session.id])).get(session.id);
    expect(cost).to.deep.equal({
      total_cost: 0.306,
      cost_known: true,
      items: [
        { step: 'transcription', provider: 'whisper', model: 'w', calls: 1, cost_usd: 0.006, cost_known: true },
        { step: 'analysis', provider: 'openai', model: 'm', calls: 2, cost_usd: 0.3, cost_known: true },
      ],
    });
  });

  it('says that a cost is not known when that of one call is not, and sums the others', async () => {
    const session = await newSession('openai');
    await call(session, 1, { cost_usd: null });
    await call(session, 2, { cost_usd: 0.5 });
    const cost = (await VendorCallModel.findCosts([session.id])).get(session.id);
    expect(cost).to.include({ total_cost: 0.5, cost_known: false });
    expect(cost?.items[0]).to.include({ cost_usd: 0.5, cost_known: false, calls: 2 });
  });

  it('shows null, not 0, for an item of which nothing is known', async () => {
    const session = await newSession('openai');
    await call(session, 1, { cost_usd: null });
    const cost = (await VendorCallModel.findCosts([session.id])).get(session.id);
    expect(cost?.items[0]).to.include({ cost_usd: null, cost_known: false });
  });

  it('keeps the sums of several sessions apart, also of one without calls', async () => {
    const [one, other, none] = [await newSession('openai'), await newSession('openai'), await newSession('openai')];
    await call(one, 1, { cost_usd: 1 });
    await call(other, 1, { cost_usd: 2 });
    const costs = await VendorCallModel.findCosts([one.id, other.id, none.id]);
    expect([one, other, none].map(({ id }) => costs.get(id)?.total_cost)).to.deep.equal([1, 2, 0]);
    expect(costs.get(none.id)).to.deep.include({ cost_known: true, items: [] });
  });

  it('adds without the noise of binary fractions', async () => {
    const session = await newSession('openai');
    for (const attempt of [1, 2, 3]) await call(session, attempt, { cost_usd: 0.1 });
    expect((await VendorCallModel.findCosts([session.id])).get(session.id)?.total_cost).to.equal(0.3);
    expect(roundUsd(0.1 + 0.2)).to.equal(0.3);
  });

  it('keeps a call that was lost with its worker, and the end of one that ends after all', async () => {
    const session = await newSession('openai');
    await call(session, 1, { status: 'running' });
    await call(session, 2, { status: 'succeeded', cost_usd: 1 });
    await VendorCallModel.closeLost(session.id);
    expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['lost', 'succeeded']);
    const key = { session_id: session.id, step: 'analysis' as const, attempt: 1 };
    await VendorCallModel.close(key, { status: 'succeeded', cost_usd: 0.5 });
    expect((await ledgerOf(session))[0]).to.include({ status: 'succeeded', cost_usd: 0.5 });
  });

  it('outlives its session: what was spent stays on record', async () => {
    const session = await newSession('openai');
    await call(session, 1, { cost_usd: 1 });
    await session.$query().delete();
    expect(await ledgerOf(session)).to.have.length(1);
  });

  describe('when a call opens', () => {
    const open = ({ id: session_id, user_id, assistant_id, queued_at }: SessionModel) =>
      VendorCallModel.open(
        {
          ...{ session_id, user_id, assistant_id, step: 'analysis' },
          ...{ provider: 'openai', model: 'm', reserved_usd: 0 },
        },
        { since: queued_at, maxCalls: 25, maxInFlight: 1, budgets: { maxUsd: null, installationUsd: null } },
      );
    const read = ({ id }: SessionModel) => SessionModel.query().findById(id).throwIfNotFound();

    it('gives the session its slot with it, once, and none to one that must wait: that is not called for', async () => {
      const [first, second] = [await newSession('openai'), await newSession('openai')];
      const other = await createSession(await createAssistant(first.user_id));
      expect(await open(first)).to.include({ attempt: 1, refusal: null });
      expect(await read(first)).to.include({ status: 'analyzing' });
      expect(await open(other)).to.include({ attempt: null, refusal: 'no_slot' });
      expect(await read(other)).to.include({ status: 'queued', waiting_for_slot: true });
      expect(await ledgerOf(other)).to.deep.equal([]);
      // A repeat keeps its slot, and another owner has slots of their own.
      expect(await open(first)).to.include({ attempt: 2, refusal: null });
      expect(await open(second)).to.include({ attempt: 1, refusal: null });
    });

    it('makes no call for a session that has ended', async () => {
      const session = await newSession('openai');
      await SessionModel.finish(session.id, { status: 'canceled' });
      expect(await open(session)).to.include({ refusal: 'no_slot' });
      expect(await read(session)).to.include({ status: 'canceled' });
      expect(await ledgerOf(session)).to.deep.equal([]);
    });
  });
});
