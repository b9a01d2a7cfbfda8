import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { deleteSession, retrySession } from '../../contract/session-operations.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { stepsOf } from '../support/history.ts';
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
  const isHeld = async (id: string) => (await SessionModel.query().findById(id))?.held === true;
  const isUnderWay = (id: string) =>
    eventually(
      () => statusOf(id),
      (status) => status === 'analyzing',
    );

  /** `CAP` sessions at the model, which does not answer before `gate` is opened, and some that wait. */
  async function fill(owner: SessionOwner, waiting: number): Promise<{ running: string[]; held: string[] }> {
    gate = Promise.withResolvers();
    const running: string[] = [];
    for (let i = 0; i < CAP; i++) running.push(await owner.submit());
    await Promise.all(running.map(isUnderWay));
    await eventually(
      () => most,
      (count) => count >= CAP,
    );
    const held: string[] = [];
    for (let i = 0; i < waiting; i++) held.push(await owner.submit());
    await Promise.all(held.map((id) => eventually(() => isHeld(id), Boolean)));
    return { running, held };
  }

  it('are never more than the bound, all complete, and none begins before those submitted earlier', async function () {
    this.timeout(120_000);
    const owner = await createSessionOwner(() => service.api);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) ids.push(...(await Promise.all(Array.from({ length: 10 }, () => owner.submit()))));
    await eventually(
      () => SessionModel.query().whereIn('id', ids).where({ status: 'completed' }).resultSize(),
      (count) => count === 200,
      110_000,
    );
    expect(most).to.be.at.most(CAP);
    const calls = await VendorCallModel.query().whereIn('session_id', ids).orderBy('session_id');
    expect(calls).to.have.length(200);
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
    const { held } = await fill(busy, 10);
    expect((await other.untilEnded(await other.submit('[open]'))).status).to.equal('completed');
    expect(await Promise.all(held.map(statusOf))).to.deep.equal(held.map(() => 'queued'));
    gate?.resolve();
    await Promise.all(held.map((id) => busy.untilEnded(id)));
  });

  it('that wait are shown as queued, and operators see for what', async () => {
    const { temporal } = await testTemporal();
    const owner = await createSessionOwner(() => service.api);
    const { held } = await fill(owner, 1);
    const [id = ''] = held;
    expect(await owner.read(id)).to.include({ status: 'queued', completed_at: null });
    const handle = temporal.client.workflow.getHandle(id);
    const step = await eventually(
      async () => stepsOf(await handle.fetchHistory()).at(-1),
      (last) => last?.name === 'timer',
    );
    expect(step?.summary).to.equal('waiting for a free slot of this user');
    gate?.resolve();
    expect((await owner.untilEnded(id)).status).to.equal('completed');
  });

  it('that wait can be canceled and deleted, and those behind them get their turn', async () => {
    const owner = await createSessionOwner(() => service.api);
    const { held } = await fill(owner, 3);
    const [canceled = '', deleted = '', last = ''] = held;
    expect((await owner.cancel(canceled)).body.status).to.equal('canceled');
    const { token } = owner;
    expect((await send(service.api, deleteSession, { token, params: { id: deleted } })).status).to.equal(204);
    gate?.resolve();
    expect((await owner.untilEnded(last)).status).to.equal('completed');
    expect(await VendorCallModel.findOfSession(canceled)).to.deep.equal([]);
  });

  it('make room when they fail, are canceled or deleted, too', async () => {
    const owner = await createSessionOwner(() => service.api);
    const { running, held } = await fill(owner, 2);
    await owner.cancel(running[0] ?? '');
    await isUnderWay(held[0] ?? '');
    await send(service.api, deleteSession, { token: owner.token, params: { id: running[1] ?? '' } });
    await isUnderWay(held[1] ?? '');
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
    const { running, held } = await fill(owner, 1);
    const { token } = owner;
    const headers = { Prefer: 'respond-async' };
    await send(service.api, retrySession, { token, params: { id: failed }, headers });
    await eventually(() => isHeld(failed), Boolean);
    await owner.cancel(running[0] ?? '');
    expect((await owner.untilEnded(failed)).status).to.equal('completed');
    await isUnderWay(held[0] ?? '');
    gate?.resolve();
    await owner.untilEnded(held[0] ?? '');
  });
});
