import { expect } from 'chai';
import { cancelRedelivery, getRedelivery, redeliverMany, listRedeliveries } from '../../contract/redeliveries.ts';
import type { Redelivery, RedeliveryPreview } from '../../contract/redeliveries.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startRedelivery } from '../../runtime/temporal/start-long-run.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createSession, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Answering, Receiver } from '../support/receiver.ts';
import { testTemporal } from '../support/temporal.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('Redeliveries of many', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let answer: Answering;
  let token: string;
  let user_id: string;
  let assistant: AssistantModel;
  let session: SessionModel;
  beforeEach(async () => {
    answer = (response) => response.end();
    receiver = await startReceiver((response, request) => answer(response, request));
    const created = await createUser();
    [user_id, token] = [created.user.id, created.token];
    assistant = await createAssistant(user_id, { webhook_url: receiver.url });
    session = await createSession(assistant);
  });
  afterEach(() => receiver.stop());

  async function createEnded(
    status: 'failed' | 'stopped' | 'delivered' = 'failed',
    fields: Partial<DeliveryModel> = {},
    of = session,
  ): Promise<string> {
    const { id } = await createDelivery(of);
    await DeliveryModel.patchPending(id, { status, next_attempt_at: null });
    await DeliveryModel.query().patch(fields).where({ id });
    return id;
  }

  const failures = (count: number) => Promise.all(Array.from({ length: count }, () => createEnded()));

  async function ask(body: object = {}): Promise<Redelivery> {
    const asked = await send(service.api, redeliverMany, { token, body });
    expect(asked.status).to.equal(202);
    const redelivery = asked.body as Redelivery;
    expect(asked.headers.get('location')).to.equal(`/api/v1/redeliveries/${redelivery.redelivery_id}`);
    return redelivery;
  }

  const read = async (id: string) => (await send(service.api, getRedelivery, { token, params: { id } })).body;
  const ended = (id: string) =>
    eventually(
      () => read(id),
      ({ status }) => status !== 'running',
    );
  const replayed = () => receiver.requests.map(({ headers }) => headers['x-webhook-replayed-from']).sort();

  it('asked for as a dry run say what would be made again, and make nothing', async () => {
    const dryRun = async (body: object = {}) => {
      const {
        status,
        headers,
        body: preview,
      } = await send(service.api, redeliverMany, {
        token,
        body: { dry_run: true, ...body },
      });
      expect([status, headers.get('location')]).to.deep.equal([200, null]);
      return preview as RedeliveryPreview;
    };
    expect(await dryRun()).to.deep.equal({ total: 0, oldest: null, newest: null, by_assistant: [] });
    const ids = await failures(3);
    const rows = await DeliveryModel.query().findByIds(ids).orderBy('created_at');
    const preview = await dryRun();
    expect(preview).to.deep.include({ total: 3, by_assistant: [{ assistant_id: rows[0]?.assistant_id, total: 3 }] });
    expect(preview).to.include({
      oldest: rows[0]?.created_at.toISOString(),
      newest: rows.at(-1)?.created_at.toISOString(),
    });
    expect((await dryRun({ status: 'stopped' })).total).to.equal(0);
    expect((await DeliveryModel.query().whereIn('replayed_from', ids)).length).to.equal(0);
    expect((await send(service.api, listRedeliveries, { token })).body.data).to.deep.equal([]);
  });

  it('are listed newest first, those that run by themselves', async () => {
    const [first, second] = [await ask(), await ask()];
    await ended(first.redelivery_id);
    await ended(second.redelivery_id);
    const idsOf = async (query = {}) =>
      (await send(service.api, listRedeliveries, { token, query })).body.data.map(({ redelivery_id }) => redelivery_id);
    expect(await idsOf()).to.deep.equal([second.redelivery_id, first.redelivery_id]);
    expect(await idsOf({ status: 'running' })).to.deep.equal([]);
    expect(await idsOf({ limit: 1 })).to.deep.equal([second.redelivery_id]);
  });

  it('makes every failed delivery again, once, in workflows of their own, and counts them', async () => {
    const failed = await failures(13);
    await createEnded('stopped');
    await createEnded('delivered');
    await createDelivery(session);
    const stranger = await createUser();
    await createEnded('failed', {}, await createSession(await createAssistant(stranger.user.id)));
    const { redelivery_id, ...asked } = await ask();
    expect(asked).to.deep.include({ total: 13, status: 'running', filter: { status: 'failed' } });
    const done = await ended(redelivery_id);
    expect(done).to.include({ status: 'completed', total: 13, started: 13, delivered: 13, pending: 0, failed: 0 });
    expect(done.ended_at).to.be.a('string');
    expect(replayed()).to.deep.equal(failed.toSorted());
    const made = await DeliveryModel.query().where({ redelivery_id });
    expect(made.map(({ replayed_from }) => replayed_from).sort()).to.deep.equal(failed.toSorted());
    for (const { id, workflow_id } of made) expect(workflow_id).to.equal(id);
  });

  it('makes those again that its filter names', async () => {
    const other = await createSession(await createAssistant(user_id, { webhook_url: receiver.url }));
    const old = await createEnded('failed', { created_at: new Date('2026-01-01T00:00:00Z') });
    const recent = await createEnded();
    const stopped = await createEnded('stopped');
    const others = await createEnded('failed', {}, other);
    for (const [filter, expected] of [
      [{ created_before: '2026-01-02T00:00:00Z' }, [old]],
      [{ assistant_id: other.assistant_id }, [others]],
      [{ status: 'stopped' }, [stopped]],
      [{ created_after: '2026-01-02T00:00:00Z', assistant_id: assistant.id }, [recent]],
    ] as const) {
      receiver.requests.length = 0;
      const { redelivery_id } = await ask(filter);
      expect(await ended(redelivery_id)).to.include({ status: 'completed', total: 1, delivered: 1 });
      expect(replayed()).to.deep.equal(expected);
    }
  });

  it('does not make again what was made again before, also not when two are asked for at once', async () => {
    const failed = await failures(12);
    const runs = await Promise.all([ask(), ask()]);
    const [one, two] = [await ended(runs[0].redelivery_id), await ended(runs[1].redelivery_id)];
    expect(one.started + two.started).to.equal(12);
    expect(replayed()).to.deep.equal(failed.toSorted());
    expect(await ended((await ask()).redelivery_id)).to.include({ status: 'completed', total: 0, started: 0 });
  });

  it('goes on where it was after its worker was lost: nothing is left out or made twice', async () => {
    const failed = await failures(3);
    const run = await RedeliveryModel.create(user_id, { status: 'failed' });
    // The first page was stored, and the worker died before it started what it had stored.
    const [original] = await DeliveryModel.query().where({ session_id: session.id }).orderBy('id').limit(1);
    const { id = '', assistant_id = '', event = 'session.completed', payload = '' } = original ?? {};
    await DeliveryModel.createOwn([
      { user_id, session_id: session.id, assistant_id, event, payload, replayed_from: id, redelivery_id: run.id },
    ]);
    await run.$query().patch({ last_id: id });
    const { temporal } = await testTemporal();
    await startRedelivery(temporal.client, run.id);
    const progress = await eventually(
      () => read(run.id),
      ({ delivered }) => delivered === 2,
    );
    expect(progress).to.include({ status: 'running', started: 3, pending: 1 });
    expect(replayed()).to.deep.equal(failed.filter((each) => each !== id).toSorted());
    await send(service.api, cancelRedelivery, { token, params: { id: run.id } });
  });

  it('starts a few per second, and waits for a receiver that takes none of them', async function () {
    this.timeout(90_000);
    answer = (response) => response.writeHead(503).end();
    await failures(120);
    const { redelivery_id } = await ask();
    const first = await eventually(
      () => read(redelivery_id),
      ({ started }) => started > 0,
    );
    expect(first.started).to.equal(10);
    const full = await eventually(
      () => read(redelivery_id),
      ({ started }) => started >= 100,
      60_000,
    );
    expect(full).to.include({ status: 'running', started: 100, pending: 100 });
    await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
  });

  describe('POST /v1/redeliveries/{id}/cancel', () => {
    it('starts no more, and ends the workflow; a second time it answers 409', async () => {
      await failures(40);
      const { redelivery_id } = await ask();
      const { status, body } = await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'canceled', total: 40 });
      const { temporal } = await testTemporal();
      const handle = temporal.client.workflow.getHandle(redelivery_id);
      await handle.result().catch(() => undefined);
      const { started } = await read(redelivery_id);
      expect(started).to.be.at.most(20);
      expect(await read(redelivery_id)).to.include({ status: 'canceled' });
      const again = await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
      expect(again.problem).to.include({ status: 409, code: 'conflict' });
    });

    it('says canceled also when an operator cancels the workflow', async () => {
      await failures(40);
      const { redelivery_id } = await ask();
      const { temporal } = await testTemporal();
      await temporal.client.workflow.getHandle(redelivery_id).cancel();
      expect(await ended(redelivery_id)).to.include({ status: 'canceled' });
    });
  });
});
