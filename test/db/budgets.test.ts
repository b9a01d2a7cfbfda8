import { expect } from 'chai';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import type { BudgetLimits, OpenedCall } from '../../db/models/vendor-call.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { newSession } from '../activities/sessions/analysis.ts';
import { createAssistant, createSession } from '../support/factories.ts';
import { testDatabase } from '../support/database.ts';

const UNBOUNDED: BudgetLimits = { maxUsd: null, installationUsd: null };

describe('Budgets', () => {
  async function createSpender(monthly_budget_usd: number | null): Promise<SessionModel> {
    const session = await newSession('openai');
    await UserModel.query().findById(session.user_id).patch({ monthly_budget_usd });
    return session;
  }

  const open = (session: SessionModel, reserved_usd: number, budgets = UNBOUNDED): Promise<OpenedCall> =>
    VendorCallModel.open(
      {
        ...{ session_id: session.id, user_id: session.user_id, assistant_id: session.assistant_id },
        ...{ step: 'analysis', provider: 'openai', model: 'm', reserved_usd },
      },
      { since: session.queued_at, maxCalls: 25, maxInFlight: 100, budgets },
    );

  const end = (session: SessionModel, fields: { cost_usd: number | null; reserved_usd?: number }) =>
    VendorCallModel.close({ session_id: session.id, step: 'analysis', attempt: 1 }, { status: 'succeeded', ...fields });

  /** Another session of the same user. */
  async function another(session: SessionModel): Promise<SessionModel> {
    return createSession(await createAssistant(session.user_id));
  }

  async function totalOf({ user_id }: SessionModel) {
    const row = await testDatabase()
      .db('monthly_spending')
      .where({ user_id })
      .first<object>('spent_usd', 'reserved_usd');
    return row;
  }

  it('let one of sixty calls begin that open at the same moment when half a call is left', async () => {
    const first = await createSpender(0.5);
    const sessions = await Promise.all(Array.from({ length: 60 }, () => another(first)));
    const outcomes = await Promise.all(sessions.map((session) => open(session, 1)));
    expect(outcomes.filter(({ refusal }) => refusal === null)).to.have.length(1);
    expect(outcomes.filter(({ refusal }) => refusal === 'budget_reserved')).to.have.length(59);
  });

  it('know that the budget is spent once what was reserved has its cost', async () => {
    const one = await createSpender(1);
    expect((await open(one, 5)).refusal).to.equal(null);
    const other = await another(one);
    expect((await open(other, 5)).refusal).to.equal('budget_reserved');
    await end(one, { cost_usd: 0.9 });
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 0.9, reserved_usd: 0 });
    expect((await open(other, 5)).refusal).to.equal(null);
    await end(other, { cost_usd: 0.1 });
    expect((await open(await another(one), 5)).refusal).to.equal('budget_spent');
  });

  it('release what a crash left reserved: when the step begins anew, and when its session ends', async () => {
    const one = await createSpender(1);
    await open(one, 2);
    expect(await open(one, 2)).to.include({ attempt: 2, refusal: null });
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 0, reserved_usd: 2 });
    await VendorCallModel.closeLost(one.id);
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 0, reserved_usd: 0 });
  });

  it('release what a call of a deleted session left reserved', async () => {
    const one = await createSpender(1);
    await open(one, 2);
    await VendorCallModel.closeAbandoned();
    expect(await totalOf(one)).to.deep.include({ reserved_usd: 2 });
    const aged = { started_at: VendorCallModel.raw("now() - interval '25 hours'") as never };
    await VendorCallModel.query().patch(aged).where({ session_id: one.id });
    await VendorCallModel.closeAbandoned();
    const [call] = await VendorCallModel.query().where({ session_id: one.id });
    expect(call).to.include({ status: 'lost', reserved_usd: null });
  });

  it('count a call whose cost stays unknown by what is assumed of it, and show no cost', async () => {
    const one = await createSpender(1);
    await open(one, 3);
    await end(one, { cost_usd: null, reserved_usd: 1 });
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 1, reserved_usd: 0 });
    expect((await open(await another(one), 1)).refusal).to.equal('budget_spent');
    expect((await VendorCallModel.findCosts([one.id])).get(one.id)).to.include({ total_cost: 0, cost_known: false });
  });

  it('hold a user to the bound of the installation, with a higher budget and with none', async () => {
    for (const budget of [100, null]) {
      const one = await createSpender(budget);
      expect((await open(one, 1, { ...UNBOUNDED, maxUsd: 1 })).refusal).to.equal(null);
      await end(one, { cost_usd: 1 });
      expect((await open(await another(one), 1, { ...UNBOUNDED, maxUsd: 1 })).refusal).to.equal('budget_spent');
    }
  });

  it('bound all users together', async () => {
    const [one, other] = [await createSpender(null), await createSpender(null)];
    await open(one, 0.5);
    await end(one, { cost_usd: 0.5 });
    const installationUsd = 0.5;
    expect((await open(other, 1, { ...UNBOUNDED, installationUsd })).refusal).to.equal('installation_budget_spent');
    expect((await open(other, 1, { ...UNBOUNDED, installationUsd: 1e9 })).refusal).to.equal(null);
  });

  it('keep the running total equal to the ledger, whatever the order of its changes', async () => {
    const one = await createSpender(null);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => another(one)));
    await Promise.all(
      sessions.map(async (session, index) => {
        await open(session, 1);
        if (index % 3 === 0) await VendorCallModel.closeLost(session.id);
        if (index % 2 === 0) await end(session, { cost_usd: 0.25 });
      }),
    );
    // Lost and never ended: 3 and 9. Ended, two of them after they were given up: the even ones. Open: 1, 5 and 7.
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 1.25, reserved_usd: 3 });
  });
});
