import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { finishSession } from '../../db/queries/session-status.ts';
import { roundUsd } from '../../runtime/prices/call-usage.ts';
import { insertCall, ledgerOf, newSession } from '../activities/sessions/analysis.ts';

describe('The ledger of provider calls', () => {
  it('sums all calls of a session by step, provider and model, including failed and repeated ones', async () => {
    const session = await newSession('openai');
    await insertCall(session, { attempt: 1, status: 'failed', cost_usd: 0.1 });
    await insertCall(session, { attempt: 2, status: 'succeeded', cost_usd: 0.2 });
    await insertCall(session, { attempt: 1, step: 'transcription', provider: 'whisper', model: 'w', cost_usd: 0.006 });
    const cost = (await ProviderCallModel.findCosts([session.id])).get(session.id);
    expect(cost).to.deep.equal({
      total_cost: 0.306,
      cost_known: true,
      items: [
        { step: 'transcription', provider: 'whisper', model: 'w', calls: 1, cost_usd: 0.006, cost_known: true },
        { step: 'analysis', provider: 'openai', model: 'gpt-6-luna', calls: 2, cost_usd: 0.3, cost_known: true },
      ],
    });
  });

  it('reports an unknown cost if the cost of one call is unknown, and sums the others', async () => {
    const session = await newSession('openai');
    await insertCall(session, { attempt: 1, cost_usd: null });
    await insertCall(session, { attempt: 2, cost_usd: 0.5 });
    const cost = (await ProviderCallModel.findCosts([session.id])).get(session.id);
    expect(cost).to.include({ total_cost: 0.5, cost_known: false });
    expect(cost?.items[0]).to.include({ cost_usd: 0.5, cost_known: false, calls: 2 });
  });

  it('sums each session separately, including sessions without calls', async () => {
    const [one, other, none] = [await newSession('openai'), await newSession('openai'), await newSession('openai')];
    await insertCall(one, { cost_usd: 1 });
    await insertCall(other, { cost_usd: 2 });
    const costs = await ProviderCallModel.findCosts([one.id, other.id, none.id]);
    expect([one, other, none].map(({ id }) => costs.get(id)?.total_cost)).to.deep.equal([1, 2, 0]);
    expect(costs.get(none.id)).to.deep.include({ cost_known: true, items: [] });
  });

  it('adds without floating-point errors', async () => {
    const session = await newSession('openai');
    for (const attempt of [1, 2, 3]) await insertCall(session, { attempt, cost_usd: 0.1 });
    expect((await ProviderCallModel.findCosts([session.id])).get(session.id)?.total_cost).to.equal(0.3);
    expect(roundUsd(0.1 + 0.2)).to.equal(0.3);
  });

  it('keeps calls that were lost with their worker, and records the end of a lost call that ends later', async () => {
    const session = await newSession('openai');
    await insertCall(session, { attempt: 1, status: 'running' });
    await insertCall(session, { attempt: 2, status: 'succeeded', cost_usd: 1 });
    await ProviderCallModel.closeLost(session.id);
    expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['lost', 'succeeded']);
    const key = { session_id: session.id, step: 'analysis' as const, attempt: 1 };
    await ProviderCallModel.close(key, { status: 'succeeded', cost_usd: 0.5 });
    expect((await ledgerOf(session))[0]).to.include({ status: 'succeeded', cost_usd: 0.5 });
  });

  it('adds the cost of a late response to the session', async () => {
    const session = await newSession('openai');
    await insertCall(session, { attempt: 1, status: 'failed', cost_usd: 0.1 });
    await insertCall(session, { attempt: 2, status: 'running' });
    await finishSession(session.id, { status: 'canceled' });
    const stored = await finishSession(
      session.id,
      { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: null },
      {
        call: { session_id: session.id, step: 'analysis', attempt: 2, status: 'succeeded', cost_usd: 0.2 },
        delivery: { id: DeliveryModel.newId(), event: 'session.completed', payload: '{}' },
      },
    );
    expect(stored).to.equal(undefined);
    expect(await session.$query()).to.include({ status: 'canceled', summary_text: null, total_cost: 0.3 });
  });

  describe('when a call opens', () => {
    const open = ({ id: session_id, workspace_id, assistant_id, queued_at }: SessionModel) =>
      ProviderCallModel.open(
        { session_id, workspace_id, assistant_id, step: 'analysis', provider: 'openai', model: 'm', reserved_usd: 0 },
        { since: queued_at, maxCalls: 25, budgets: { maxUsd: null, installationUsd: null } },
      );
    const read = ({ id }: SessionModel) => SessionModel.query().findById(id).throwIfNotFound();

    it('makes no call for a session that has ended', async () => {
      const session = await newSession('openai');
      await finishSession(session.id, { status: 'canceled' });
      expect(await open(session)).to.include({ refusal: 'session_ended' });
      expect(await read(session)).to.include({ status: 'canceled' });
      expect(await ledgerOf(session)).to.deep.equal([]);
    });
  });
});
