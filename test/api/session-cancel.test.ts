import { expect } from 'chai';
import { cancelSession } from '../../contract/session-operations.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { startSession } from '../../runtime/temporal/start-session.ts';
import { send, startTestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createSession, createUser } from '../support/factories.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';
import { toldDuring } from '../support/told.ts';

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
  afterEach(() => service.vendors.pass());

  const callsOf = async (id: string) => VendorCallModel.findOfSession(id);

  /** Its status in Temporal. */
  const describeRun = async (id: string) => {
    const { temporal } = await testTemporal();
    return (await temporal.client.workflow.getHandle(id).describe()).status.name;
  };

  it('ends a call that is under way, and answers 200 with the session as it ended', async () => {
    service.vendors.hang();
    const id = await owner.submit();
    await eventually(
      () => callsOf(id),
      (calls) => calls.length === 1,
    );
    const { status, body } = await owner.cancel(id);
    expect([status, body.status]).to.deep.equal([200, 'canceled']);
    expect(body).to.include({ summary_text: null, error: null, total_cost: 0, cost_known: false });
    expect(body.completed_at).to.be.a('string');
    expect(body.cost_breakdown).to.have.length(1);
    const [call] = await callsOf(id);
    expect(call).to.deep.include({ status: 'failed', cost_usd: null });
    expect(call?.error?.fault).to.equal('canceled');
    expect(await owner.read(id)).to.deep.equal(body);
    await eventually(
      () => describeRun(id),
      (name) => name === 'CANCELLED',
    );
  });

  it('between two tries makes no further call', async () => {
    const id = await owner.submit('[vendor status=503 retry_after_s=60]');
    await eventually(
      () => callsOf(id),
      ([call]) => call?.status === 'failed',
    );
    const { status, body } = await owner.cancel(id);
    expect([status, body.status, body.total_cost]).to.deep.equal([200, 'canceled', 0]);
    expect(await callsOf(id)).to.have.length(1);
  });

  it('wakes who waits for the result, with the session as it ended', async () => {
    service.vendors.hang();
    const id = await owner.submit();
    const other = owner.untilEnded(id);
    await owner.cancel(id);
    expect((await other).status).to.equal('canceled');
  });

  it('ends a session directly whose workflow was never started; one that starts later does nothing', async () => {
    const session = await createSession(owner.assistant);
    const told = await toldDuring(sessionEnded, async () => {
      const { status, body } = await owner.cancel(session.id);
      expect([status, body.status]).to.deep.equal([200, 'canceled']);
      const { temporal } = await testTemporal();
      await startSession(temporal.client, session);
      await eventually(
        () => describeRun(session.id),
        (name) => name !== 'RUNNING',
      );
    });
    expect(told).to.deep.equal([{ status: 'canceled' }]);
    expect(await callsOf(session.id)).to.deep.equal([]);
    expect((await owner.read(session.id)).status).to.equal('canceled');
  });

  it('marks the calls as lost that a workflow left which is no longer there', async () => {
    const session = await createSession(owner.assistant, { status: 'analyzing' });
    const { id: session_id, user_id, assistant_id } = session;
    await VendorCallModel.query().insert({
      ...{ session_id, user_id, assistant_id, step: 'analysis', attempt: 1, provider: 'openai' },
    });
    expect((await owner.cancel(session.id)).body.status).to.equal('canceled');
    expect((await callsOf(session.id))[0]?.status).to.equal('lost');
  });

  it('answers 202 when nothing can stop it now: it is stopped as soon as a worker is there', async function () {
    this.timeout(60_000);
    const { temporal } = await testTemporal();
    const id = await owner.submit('[vendor status=503 retry_after_s=60]');
    await eventually(
      () => callsOf(id),
      ([call]) => call?.status === 'failed',
    );
    await service.stop({ leavesRuns: true });
    const api = await startTestApi({ env: service.env, temporal });
    try {
      const { status, body, headers } = await send(api, cancelSession, { token: owner.token, params: { id } });
      expect([status, body.status, body.completed_at]).to.deep.equal([202, 'analyzing', null]);
      expect(headers.get('location')).to.equal(`/api/v1/sessions/${id}`);
    } finally {
      await api.stop();
      service = await startTestService({ env: { PROVIDER_RETRY_WINDOW_S: '600' } });
    }
    expect((await owner.untilEnded(id)).status).to.equal('canceled');
    expect(await callsOf(id)).to.have.length(1);
  });

  for (const status of ['completed', 'failed', 'canceled'] as const) {
    it(`answers 409 when the session is ${status}, and changes nothing`, async () => {
      const session = await createSession(owner.assistant, { status, completed_at: new Date() });
      const { problem } = await owner.cancel(session.id);
      expect(problem.code).to.equal('conflict');
      expect(problem.detail).to.contain(status);
      expect(await SessionModel.query().findById(session.id)).to.deep.equal(session);
    });
  }

  it("is 404 for another user's session, which goes on", async () => {
    const session = await createSession(owner.assistant);
    const { token } = await createUser();
    const { problem } = await send(service.api, cancelSession, { token, params: { id: session.id } });
    expect(problem.code).to.equal('not_found');
    expect((await owner.read(session.id)).status).to.equal('queued');
  });
});
