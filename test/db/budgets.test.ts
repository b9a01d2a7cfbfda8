import { ProviderCallModel, type BudgetLimits, type OpenedCall } from '../../db/models/provider-call.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { newSession } from '../activities/sessions/analysis.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';
import { MembershipModel } from '../../db/models/membership.ts';
import { join } from '../support/members.ts';
import { testDatabase, useConnections } from '../support/database.ts';

const UNBOUNDED: BudgetLimits = { maxUsd: null, installationUsd: null };

describe('Budgets', () => {
  useConnections();
  async function createSpender(monthly_budget_usd: number | null): Promise<SessionModel> {
    const session = await newSession('openai');
    await WorkspaceModel.query().findById(session.workspace_id).patch({ monthly_budget_usd });
    return session;
  }

  const open = (session: SessionModel, reserved_usd: number, budgets = UNBOUNDED): Promise<OpenedCall> =>
    ProviderCallModel.open(
      {
        session_id: session.id,
        workspace_id: session.workspace_id,
        assistant_id: session.assistant_id,
        step: 'analysis',
        provider: 'openai',
        model: 'm',
        reserved_usd,
      },
      { since: session.queued_at, maxCalls: 25, budgets },
    );

  const end = (session: SessionModel, fields: { cost_usd: number | null; reserved_usd?: number }) =>
    ProviderCallModel.close(
      { session_id: session.id, step: 'analysis', attempt: 1 },
      { status: 'succeeded', ...fields },
    );

  /** Creates another session of the same user. */
  async function another(session: SessionModel): Promise<SessionModel> {
    return createSession(await createAssistant(session.workspace_id));
  }

  async function totalOf({ workspace_id }: SessionModel) {
    const row = await testDatabase()
      .db('monthly_spending')
      .where({ workspace_id })
      .first<object>('spent_usd', 'reserved_usd');
    return row;
  }

  it('allow one of sixty concurrent calls if half the cost of a call is left', async () => {
    const first = await createSpender(0.5);
    const sessions = await Promise.all(Array.from({ length: 60 }, () => another(first)));
    const outcomes = await Promise.all(sessions.map((session) => open(session, 1)));
    expect(outcomes.filter(({ refusal }) => refusal === null)).to.have.length(1);
    expect(outcomes.filter(({ refusal }) => refusal === 'budget_reserved')).to.have.length(59);
  });

  it('Threat: of all workspaces of an owner together are at most the maximum, also of deleted and transferred ones', async () => {
    const limits = { maxUsd: 1, installationUsd: null };
    const [owner, heir] = [await createUser(), await createUser()];
    const inWorkspaceOf = async ({ user }: typeof owner) => {
      const session = await createSpender(null);
      await MembershipModel.query().delete().where({ workspace_id: session.workspace_id });
      await join(session.workspace_id, { user }, 'owner');
      return session;
    };
    const first = await inWorkspaceOf(owner);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => inWorkspaceOf(owner)));
    const outcomes = await Promise.all([first, ...sessions].map((session) => open(session, 1, limits)));
    expect(outcomes.map(({ refusal }) => refusal).filter((refusal) => refusal !== 'budget_reserved')).to.deep.equal([
      null,
    ]);
    const paid = [first, ...sessions][outcomes.findIndex(({ refusal }) => refusal === null)]!;
    await end(paid, { cost_usd: 1 });
    const { workspace_id } = paid;
    const isSpent = (session: SessionModel) => WorkspaceModel.isBudgetSpent(session.workspace_id, limits);
    await MembershipModel.query().delete().where({ workspace_id });
    await join(workspace_id, heir, 'owner');
    const [again, theirs] = [await inWorkspaceOf(owner), await inWorkspaceOf(heir)];
    expect([(await open(again, 1, limits)).refusal, await isSpent(again)], 'transferred').to.deep.equal([
      'budget_spent',
      true,
    ]);
    expect([(await open(theirs, 1, limits)).refusal, await isSpent(theirs)], 'the heir').to.deep.equal([null, false]);
    await WorkspaceModel.query().deleteById(workspace_id);
    expect((await open(await inWorkspaceOf(owner), 1, limits)).refusal, 'deleted').to.equal('budget_spent');
    expect((await open(await inWorkspaceOf(owner), 1)).refusal, 'without a maximum').to.equal(null);
  });

  it('count reserved amounts until they become costs', async () => {
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

  it('allow a call without a price after they are reached', async () => {
    const one = await createSpender(0);
    expect((await open(one, 0.01)).refusal).to.equal('budget_spent');
    expect((await open(one, 0, { maxUsd: null, installationUsd: 0 })).refusal).to.equal(null);
  });

  it('release the reservation of a crashed call with the next attempt or the end of the session', async () => {
    const one = await createSpender(1);
    await open(one, 2);
    expect(await open(one, 2)).to.include({ attempt: 2, refusal: null });
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 0, reserved_usd: 2 });
    await ProviderCallModel.closeLost(one.id);
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 0, reserved_usd: 0 });
  });

  it('release the reservation of a deleted session', async () => {
    const one = await createSpender(1);
    await open(one, 2);
    await ProviderCallModel.closeAbandoned();
    expect(await totalOf(one)).to.deep.include({ reserved_usd: 2 });
    const aged = { started_at: ProviderCallModel.raw("now() - interval '25 hours'") as never };
    await ProviderCallModel.query().patch(aged).where({ session_id: one.id });
    await ProviderCallModel.closeAbandoned();
    const [call] = await ProviderCallModel.query().where({ session_id: one.id });
    expect(call).to.include({ status: 'lost', reserved_usd: null });
  });

  it('count a call with an unknown cost by its assumed cost, and show no cost', async () => {
    const one = await createSpender(1);
    await open(one, 3);
    await end(one, { cost_usd: null, reserved_usd: 1 });
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 1, reserved_usd: 0 });
    expect((await open(await another(one), 1)).refusal).to.equal('budget_spent');
    expect((await ProviderCallModel.findCosts([one.id])).get(one.id)).to.include({ total_cost: 0, cost_known: false });
  });

  it("apply the installation's maximum to a user with a higher budget or none", async () => {
    for (const budget of [100, null]) {
      const one = await createSpender(budget);
      expect((await open(one, 1, { ...UNBOUNDED, maxUsd: 1 })).refusal).to.equal(null);
      await end(one, { cost_usd: 1 });
      expect((await open(await another(one), 1, { ...UNBOUNDED, maxUsd: 1 })).refusal).to.equal('budget_spent');
    }
  });

  it('limit all users together', async () => {
    const [one, other] = [await createSpender(null), await createSpender(null)];
    await open(one, 0.5);
    await end(one, { cost_usd: 0.5 });
    const installationUsd = 0.5;
    expect((await open(other, 1, { ...UNBOUNDED, installationUsd })).refusal).to.equal('installation_budget_spent');
    expect((await open(other, 1, { ...UNBOUNDED, installationUsd: 1e9 })).refusal).to.equal(null);
  });

  it('keep the total equal to the ledger with any order of changes', async () => {
    const one = await createSpender(null);
    const sessions = await Promise.all(Array.from({ length: 10 }, () => another(one)));
    await Promise.all(
      sessions.map(async (session, index) => {
        await open(session, 1);
        if (index % 3 === 0) await ProviderCallModel.closeLost(session.id);
        if (index % 2 === 0) await end(session, { cost_usd: 0.25 });
      }),
    );
    // Lost: 3 and 9. Ended: the even ones, two of them after they were marked as lost. Open: 1, 5 and 7.
    expect(await totalOf(one)).to.deep.equal({ spent_usd: 1.25, reserved_usd: 3 });
  });
});
