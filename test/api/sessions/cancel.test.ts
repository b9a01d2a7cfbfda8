import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { sessionEnded } from '../../../runtime/telemetry/events.ts';
import { startSession } from '../../../runtime/temporal/start.ts';
import { send, startTestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createCall, createSession } from '../../support/factories.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { testTemporal, untilWorkflowEnds } from '../../support/temporal.ts';
import { toldDuring } from '../../support/told.ts';

describe('POST /v1/sessions/{id}/cancel', () => {
  let service: TestService;
  let owner: SessionOwner;
  before(async function () {
    this.timeout(0);
    service = await startTestService({ env: { PROVIDER_RETRY_WINDOW_S: '600' } });
  });
  after(() => service.stop());
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });
  afterEach(() => service.providers.pass());

  const callsOf = (id: string) => ProviderCallModel.findOfSession(id);

  it('cancels a running call, and returns 200 with the ended session, also to waiting clients', async () => {
    service.providers.hang();
    const id = await owner.submit();
    await owner.untilCalled(id);
    const waiting = send(service.api, 'getSession', { token: owner.token, params: { id }, query: { wait: 60 } });
    const { status, body } = await owner.cancel(id);
    expect([status, body.status]).to.deep.equal([200, 'canceled']);
    expect((await waiting).body).to.deep.equal(body);
    expect(body).to.include({ summary_text: null, error: null, total_cost: 0, cost_known: false });
    expect(body.completed_at).to.be.a('string');
    expect(body.cost_breakdown).to.have.length(1);
    const [call] = await callsOf(id);
    expect(call).to.deep.include({ status: 'failed', cost_usd: null });
    expect(call?.error?.fault).to.equal('canceled');
    expect(await owner.read(id)).to.deep.equal(body);
    expect(await untilWorkflowEnds(id)).to.equal('CANCELLED');
  });

  it('prevents the next call between two tries', async () => {
    const id = await owner.submit('[provider status=503 retry_after_s=60]');
    await eventually(async () => (await callsOf(id))[0]?.status, 'failed');
    const { status, body } = await owner.cancel(id);
    expect([status, body.status, body.total_cost]).to.deep.equal([200, 'canceled', 0]);
    expect(await callsOf(id)).to.have.length(1);
  });

  it('ends a session without a workflow; a workflow that starts later does nothing', async () => {
    const session = await createSession(owner.assistant);
    const told = await toldDuring(sessionEnded, async () => {
      const { status, body } = await owner.cancel(session.id);
      expect([status, body.status]).to.deep.equal([200, 'canceled']);
      const { temporal } = await testTemporal();
      await startSession(temporal.client, session);
      await untilWorkflowEnds(session.id);
    });
    expect(told).to.deep.equal([{ status: 'canceled' }]);
    expect(await callsOf(session.id)).to.deep.equal([]);
    expect((await owner.read(session.id)).status).to.equal('canceled');
  });

  it('marks calls of a lost workflow as lost', async () => {
    const session = await createSession(owner.assistant, { status: 'analyzing' });
    await createCall(session, { status: 'running' });
    expect((await owner.cancel(session.id)).body.status).to.equal('canceled');
    expect((await callsOf(session.id))[0]?.status).to.equal('lost');
  });

  it('answers 202 if no worker runs: the session ends when a worker starts', async () => {
    const { temporal } = await testTemporal();
    const id = await owner.submit('[provider status=503 retry_after_s=60]');
    await eventually(async () => (await callsOf(id))[0]?.status, 'failed');
    await service.stop({ leavesRuns: true });
    const api = await startTestApi({ env: service.env, temporal });
    try {
      const { status, body, headers } = await send(api, 'cancelSession', { token: owner.token, params: { id } });
      expect([status, body.status, body.completed_at]).to.deep.equal([202, 'analyzing', null]);
      expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
    } finally {
      await api.stop();
      service = await startTestService({ env: { PROVIDER_RETRY_WINDOW_S: '600' } });
    }
    expect((await owner.untilEnded(id)).status).to.equal('canceled');
    expect(await callsOf(id)).to.have.length(1);
  });
});
