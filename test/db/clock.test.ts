import { mock } from 'node:test';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { finishSession } from '../../db/queries/session-status.ts';
import { createOwner, createSession } from '../support/factories.ts';

describe('A process whose clock is two seconds behind', () => {
  afterEach(() => mock.timers.reset());

  it('never stores an end before its start', async () => {
    const assistant = (await createOwner()).assistant;
    mock.timers.enable({ apis: ['Date'], now: Date.now() - 2_000 });
    const [completed, failed] = [await createSession(assistant), await createSession(assistant)];
    for (const { id: session_id, workspace_id, assistant_id, queued_at } of [completed, failed]) {
      const call = { session_id, workspace_id, assistant_id, step: 'analysis', provider: 'openai' } as const;
      const budgets = { maxUsd: null, installationUsd: null };
      const limits = { since: queued_at, maxCalls: 25, budgets };
      await ProviderCallModel.open({ ...call, model: 'm', reserved_usd: 0 }, limits);
    }
    const key = { step: 'analysis', attempt: 1 } as const;
    await finishSession(
      completed.id,
      { status: 'completed', summary_text: 's', raw_response: {}, temperature_applied: null },
      {
        call: { session_id: completed.id, ...key, status: 'succeeded' },
        delivery: { id: DeliveryModel.newId(), event: 'session.completed', payload: '{}' },
      },
    );
    await ProviderCallModel.close({ session_id: failed.id, ...key }, { status: 'failed' });
    await finishSession(failed.id, { status: 'canceled' });
    const ids = [completed.id, failed.id];
    expect(await SessionModel.query().whereIn('id', ids).whereRaw('completed_at >= queued_at')).to.have.length(2);
    const calls = ProviderCallModel.query().whereIn('session_id', ids);
    expect(await calls.whereRaw('ended_at >= started_at')).to.have.length(2);
  });
});
