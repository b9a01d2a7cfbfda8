import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../../db/models/delivery-attempt.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { send } from '../../support/api.ts';
import { createCall, createDelivery, createOwner, createSession } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const MINUTE_MS = 60_000;
const ago = (ms: number) => new Date(Date.now() - ms);

describe('GET /v1/attention', () => {
  const api = useTestApi();
  let owner: Awaited<ReturnType<typeof createOwner>>;
  let assistant: AssistantModel;
  beforeEach(async () => {
    owner = await createOwner();
    ({ assistant } = owner);
  });

  const read = async (token = owner.token) => (await send(api, 'getAttention', { token })).body.data;
  const codes = async (token?: string) => (await read(token)).map(({ code }) => code);

  const fail = (agoMs: number) =>
    createSession(assistant, {
      status: 'failed',
      created_at: ago(agoMs),
      completed_at: ago(agoMs),
      error: { code: 'auth', stage: 'analysis', provider: 'openai', message: 'No', retryable: true },
    });

  const spend = async (cost_usd: number) => createCall(await createSession(assistant), { cost_usd });

  it('is empty if nothing is wrong, and shows nothing of other workspaces', async () => {
    await fail(MINUTE_MS);
    expect(await read((await createOwner()).token)).to.deep.equal([]);
  });

  it('has failed sessions since a day ago, or since `from`', async () => {
    await fail(MINUTE_MS);
    await fail(30 * 60 * MINUTE_MS);
    const [found] = await read();
    expect(found).to.deep.include({ code: 'sessions_failed', subject: 'auth', providers: ['openai'] });
    expect(found?.figures).to.deep.equal({ sessions: 1, retryable: 1 });
    const query = { from: ago(48 * 60 * MINUTE_MS).toISOString() };
    const { body } = await send(api, 'getAttention', { token: owner.token, query });
    expect(body.data[0]?.figures).to.deep.equal({ sessions: 2, retryable: 2 });
    const tooLong = { from: ago(367 * 24 * 60 * MINUTE_MS).toISOString() };
    const refused = await send(api, 'getAttention', { token: owner.token, query: tooLong });
    expect([refused.status, refused.problem.errors?.[0]?.path]).to.deep.equal([422, 'from']);
  });

  it('has queued sessions after ten minutes, and sessions that wait for a provider after 30 seconds', async () => {
    const { id } = await createSession(assistant, { status: 'queued', queued_at: ago(9.9 * MINUTE_MS) });
    expect(await codes()).to.deep.equal([]);
    await SessionModel.query()
      .findById(id)
      .patch({ queued_at: ago(10.1 * MINUTE_MS) });
    expect((await read())[0]).to.deep.include({ code: 'sessions_queued', figures: { sessions: 1 } });
    const waits = (since: Date) => ({
      waiting: {
        provider: 'openai',
        reason: 'timeout',
        since: since.toISOString(),
        next_try_at: new Date().toISOString(),
      },
    });
    await SessionModel.query()
      .findById(id)
      .patch({ queued_at: new Date(), ...waits(ago(20_000)) } as object);
    expect(await codes()).to.deep.equal([]);
    await SessionModel.query()
      .findById(id)
      .patch(waits(ago(31_000)) as object);
    expect((await read())[0]).to.deep.include({
      code: 'provider_unavailable',
      subject: 'openai',
      reason: 'timeout',
      figures: { sessions: 1 },
    });
  });

  it('has failing deliveries and the budget only with the scope that shows them', async () => {
    const { id } = await createDelivery(await createSession(assistant, { status: 'completed' }));
    await DeliveryAttemptModel.open({
      delivery_id: id,
      attempt: 1,
      url: 'https://crm.example.com/hook',
      request_headers: {},
    });
    await DeliveryAttemptModel.close(id, 1, { failure: 'http_status', status_code: 503, next_attempt_at: new Date() });
    await WorkspaceModel.query().findById(assistant.workspace_id).patch({ monthly_budget_usd: 10 });
    await spend(7.9);
    const [delivery] = await read();
    expect(delivery).to.deep.include({ code: 'deliveries_failing', subject: 'crm.example.com', reason: 'http_status' });
    expect(delivery?.figures).to.deep.equal({ failed: 0, retrying: 1, status_code: 503 });
    expect(await codes()).to.deep.equal(['deliveries_failing']);
    await spend(0.1);
    expect((await read())[1]).to.deep.include({
      code: 'budget_nearly_spent',
      figures: { spent_usd: 8, budget_usd: 10 },
    });
    const body = { name: 'alerts', scopes: ['sessions:read' as const] };
    const key = (await send(api, 'createKey', { token: owner.token, body })).body;
    expect(await codes(key.token)).to.deep.equal([]);
  });
});
