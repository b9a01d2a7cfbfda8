import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { deleteSession, retrySession } from '../../contract/session-operations.ts';
import { createSweepLostSessions } from '../../activities/sweeps/sweep-lost-sessions.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { IdempotencyKeyModel } from '../../db/models/idempotency-key.ts';
import { send, startTestApi } from '../support/api.ts';
import { createSession } from '../support/factories.ts';
import { silentLog } from '../support/log.ts';
import { eventually } from '../support/eventually.ts';
import { eventsOf, stepsOf } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { testTemporal } from '../support/temporal.ts';

const CAP = 5;
const CALL_MS = 10;

describe("A user's sessions in flight", () => {
  let standIns: Awaited<ReturnType<typeof startVendors>>;
  /** Stands before the models and counts who is there at once. While `gate` is set, nobody is answered. */
  let models: Receiver;
  let service: TestService;
  let inFlight = 0;
  let most = 0;
  let gate: PromiseWithResolvers<void> | undefined;

  before(async function () {
    this.timeout(0);
    standIns = await startVendors();
    models = await startReceiver((response, { method, path, headers, body }) => {
      most = Math.max(most, ++inFlight);
      void (async () => {
        await Promise.all([sleep(CALL_MS), body.includes('[open]') ? undefined : gate?.promise]);
        const { authorization = '', 'content-type': type = '' } = headers;
        const init = { method, headers: { authorization, 'content-type': type }, body: new Uint8Array(body) };
        const answer = await fetch(standIns.url + path, init);
        inFlight -= 1;
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
      })();
    });
    const { OPENAI_BASE_URL } = standInEnvironment(['openai'], models.url);
    const env = { OPENAI_BASE_URL, MAX_SESSIONS_IN_FLIGHT_PER_USER: String(CAP), PROVIDER_RETRY_WINDOW_S: '0' };
    service = await startTestService({ env });
  });
  after(async () => {
    gate?.resolve();
    await service.stop();
    await models.stop();
    await standIns.stop();
  });
  beforeEach(() => {
    most = 0;
    gate = undefined;
  });

  const statusOf = async (id: string) => (await SessionModel.query().findById(id))?.status;
  const isWaiting = async (id: string) => (await SessionModel.query().findById(id))?.waiting_for_slot === true;
  const isUnderWay = (id: string) =>
    eventually(
      () => statusOf(id),
      (status) => status === 'analyzing',
    );

  /** `CAP` sessions at the model, which does not answer before `gate` is opened, and some that wait. */
  async function fill(owner: SessionOwner, count: number): Promise<{ running: string[]; waiting: string[] }> {
    gate = Promise.withResolvers();
    const running: string[] = [];
    for (let i = 0; i < CAP; i++) running.push(await owner.submit());
    await Promise.all(running.map(isUnderWay));
    await eventually(
      () => most,
      (count) => count >= CAP,
    );
    const waiting: string[] = [];
    for (let i = 0; i < count; i++) waiting.push(await owner.submit());
    await Promise.all(waiting.map((id) => eventually(() => isWaiting(id), Boolean)));
    return { running, waiting };
  }

  it('are never more than the bound, all complete, and none begins before those submitted earlier', async function () {
    this.timeout(120_000);
    const owner = await createSessionOwner(() => service.api);
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(...(await Promise.all(Array.from({ length: 10 }, () => owner.submit()))));
    await eventually(
      () => SessionModel.query().whereIn('id', ids).where({ status: 'completed' }).resultSize(),
      (count) => count === 60,
      110_000,
    );
    expect(most).to.be.at.most(CAP);
    const calls = await VendorCallModel.query().whereIn('session_id', ids).orderBy('session_id');
    expect(calls).to.have.length(60);
    for (const [index, { started_at }] of calls.entries()) {
      const older = calls.slice(0, index).filter(({ ended_at }) => ended_at !== null && ended_at > started_at);
      expect(older.length).to.be.below(CAP);
    }
  });

  it("do not delay another user's", async () => {
    const [busy, other] = await Promise.all([
      createSessionOwner(() => service.api),
      createSessionOwner(() => service.api),
    ]);
    const { waiting } = await fill(busy, 10);
    expect((await other.untilEnded(await other.submit('[open]'))).status).to.equal('completed');
    expect(await Promise.all(waiting.map(statusOf))).to.deep.equal(waiting.map(() => 'queued'));
    gate?.resolve();
    await Promise.all(waiting.map((id) => busy.untilEnded(id)));
  });

  it('that wait are shown as queued, and operators see for what', async () => {
    const { temporal } = await testTemporal();
    const owner = await createSessionOwner(() => service.api);
    const { waiting } = await fill(owner, 1);
    const [id = ''] = waiting;
    expect(await owner.read(id)).to.include({ status: 'queued', completed_at: null });
    const handle = temporal.client.workflow.getHandle(id);
    const step = await eventually(
      async () => stepsOf(await handle.fetchHistory()).at(-1),
      (last) => last?.name === 'timer',
    );
    expect(step?.summary).to.equal('waiting for a free slot of this user, or for a vendor that is away');
    gate?.resolve();
    expect((await owner.untilEnded(id)).status).to.equal('completed');
  });

  it('that wait can be canceled and deleted, and those behind them get their turn', async () => {
    const owner = await createSessionOwner(() => service.api);
    const { waiting } = await fill(owner, 3);
    const [canceled = '', deleted = '', last = ''] = waiting;
    expect((await owner.cancel(canceled)).body.status).to.equal('canceled');
    const { token } = owner;
    expect((await send(service.api, deleteSession, { token, params: { id: deleted } })).status).to.equal(204);
    gate?.resolve();
    expect((await owner.untilEnded(last)).status).to.equal('completed');
    expect(await VendorCallModel.findOfSession(canceled)).to.deep.equal([]);
  });

  it('make room when they fail, are canceled or deleted, too', async () => {
    const owner = await createSessionOwner(() => service.api);
    const { running, waiting } = await fill(owner, 2);
    await owner.cancel(running[0] ?? '');
    await isUnderWay(waiting[0] ?? '');
    await send(service.api, deleteSession, { token: owner.token, params: { id: running[1] ?? '' } });
    await isUnderWay(waiting[1] ?? '');
    const failing = await owner.submit('[vendor status=400] [open]');
    gate?.resolve();
    const after = await owner.submit();
    expect((await owner.untilEnded(failing)).status).to.equal('failed');
    expect((await owner.untilEnded(after)).status).to.equal('completed');
  });

  it('come first again when they are retried', async () => {
    const owner = await createSessionOwner(() => service.api);
    const failed = await owner.submit('[vendor status=500 times=1] [open]');
    expect((await owner.untilEnded(failed)).status).to.equal('failed');
    const { running, waiting } = await fill(owner, 1);
    const { token } = owner;
    const headers = { Prefer: 'respond-async' };
    await send(service.api, retrySession, { token, params: { id: failed }, headers });
    await eventually(() => isWaiting(failed), Boolean);
    await owner.cancel(running[0] ?? '');
    expect((await owner.untilEnded(failed)).status).to.equal('completed');
    await isUnderWay(waiting[0] ?? '');
    gate?.resolve();
    await owner.untilEnded(waiting[0] ?? '');
  });

  describe('of which some starts were lost', () => {
    const client = async () => (await testTemporal()).temporal.client;
    const sweep = async () =>
      createSweepLostSessions({ client: await client(), log: silentLog, maxSessionsInFlight: CAP })();
    const historyOf = async (id: string) => (await client()).workflow.getHandle(id).fetchHistory();
    const setOverdue = (ids: string[]) =>
      SessionModel.query()
        .patch({ check_after: new Date(Date.now() - 1_000) })
        .whereIn('id', ids);

    it('wait for them and ask no more than those who wait for others', async () => {
      const owner = await createSessionOwner(() => service.api);
      const lost: string[] = [];
      for (let i = 0; i < CAP; i++) lost.push((await createSession(owner.assistant)).id);
      const waiting = await owner.submit();
      const other = await owner.submit();
      await Promise.all([waiting, other].map((id) => eventually(() => isWaiting(id), Boolean)));
      const asks = async () => stepsOf(await historyOf(waiting)).filter(({ name }) => name === 'analyzeConversation');
      expect((await owner.cancel(other)).body.status).to.equal('canceled');
      // The end of another one is no end of those before it.
      expect(await asks()).to.have.length(1);
      await setOverdue(lost);
      await sweep();
      await Promise.all([...lost, waiting].map((id) => owner.untilEnded(id)));
      expect(await asks()).to.have.length.at.most(2);
    });

    it('all end, and none of them asks without end', async function () {
      this.timeout(60_000);
      const owner = await createSessionOwner(() => service.api);
      const ids: string[] = [];
      const lost: string[] = [];
      for (let i = 0; i < 60; i++) {
        if (i % 6 !== 3) ids.push(await owner.submit());
        else lost.push((await createSession(owner.assistant)).id);
      }
      await setOverdue(lost);
      const all = [...ids, ...lost];
      await sweep();
      await eventually(
        () => SessionModel.query().whereIn('id', all).where({ status: 'completed' }).resultSize(),
        (count) => count === all.length,
        50_000,
      );
      const lengths = await Promise.all(all.map(async (id) => eventsOf(await historyOf(id)).length));
      expect(Math.max(...lengths)).to.be.below(60);
    });
  });

  it('that wait are as many as may be: a further one is refused, and nothing of it is stored', async () => {
    const api = await startTestApi({
      env: { MAX_QUEUED_SESSIONS_PER_USER: '2' },
      temporal: (await testTemporal()).temporal,
    });
    try {
      const owner = await createSessionOwner(() => api);
      const { token, assistant } = owner;
      const failed = await createSession(assistant, { status: 'failed', completed_at: new Date() });
      const queued = [await createSession(assistant), await createSession(assistant)];
      const count = () => SessionModel.query().where({ user_id: assistant.user_id }).resultSize();
      const submit = () =>
        send(api, submitTextRequest, {
          token,
          headers: { Prefer: 'respond-async', 'Idempotency-Key': 'one' },
          body: { assistant_id: assistant.id, conversation: [{ role: 'client', text: 'Hello.' }] },
        });
      for (const answer of [await submit(), await send(api, retrySession, { token, params: { id: failed.id } })]) {
        expect([answer.status, answer.problem.code]).to.deep.equal([429, 'rate_limited']);
        expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
      }
      expect(await count()).to.equal(3);
      expect(await IdempotencyKeyModel.query().where({ user_id: assistant.user_id })).to.deep.equal([]);
      await SessionModel.finish(queued[0]?.id ?? '', { status: 'canceled' });
      expect((await submit()).status).to.equal(202);
    } finally {
      await api.stop();
    }
  });
});
