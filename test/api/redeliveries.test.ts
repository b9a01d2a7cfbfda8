import { expect } from 'chai';
import {
  cancelRedelivery,
  getRedelivery,
  redeliverMany,
  listRedeliveries,
} from '../../contract/sessions/redeliveries.ts';
import type { Redelivery, RedeliveryPreview } from '../../contract/sessions/redeliveries.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { RedeliveryModel } from '../../db/models/redelivery.ts';
import { startRedelivery } from '../../runtime/temporal/start.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createDelivery, createOwner, createSession } from '../support/factories.ts';
import { stepsOf } from '../support/history.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Answering, Receiver } from '../support/receiver.ts';
import { testTemporal, untilWorkflowEnds, workflowOf } from '../support/temporal.ts';
import { stopAfterTest } from '../support/stop-after-test.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('Redeliveries', () => {
  const service = useSharedService();
  let receiver: Receiver;
  let answer: Answering;
  let token: string;
  let workspace_id: string;
  let assistant: AssistantModel;
  let session: SessionModel;
  beforeEach(async () => {
    answer = (response) => response.end();
    receiver = await stopAfterTest(startReceiver((response, request) => answer(response, request)));
    ({ token, workspaceId: workspace_id, assistant } = await createOwner({ webhook_url: receiver.url }));
    session = await createSession(assistant);
  });

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

  it('report the matches in a dry run, and create nothing', async () => {
    const dryRun = async (body: object = {}) => {
      const asked = { token, body: { dry_run: true, ...body } };
      const { status, headers, body: preview } = await send(service.api, redeliverMany, asked);
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

  it('are listed newest first, and filtered by status', async () => {
    const [first, second] = [await ask(), await ask()];
    await ended(first.redelivery_id);
    await ended(second.redelivery_id);
    const idsOf = async (query = {}) =>
      (await send(service.api, listRedeliveries, { token, query })).body.data.map(({ redelivery_id }) => redelivery_id);
    expect(await idsOf()).to.deep.equal([second.redelivery_id, first.redelivery_id]);
    expect(await idsOf({ status: 'running' })).to.deep.equal([]);
    expect(await idsOf({ limit: 1 })).to.deep.equal([second.redelivery_id]);
  });

  it('redeliver each failed delivery once, in its own workflow, also if two run concurrently', async () => {
    const failed = await failures(12);
    await createEnded('stopped');
    await createEnded('delivered');
    await createDelivery(session);
    await createEnded('failed', {}, await createSession((await createOwner()).assistant));
    const runs = await Promise.all([ask(), ask()]);
    for (const run of runs) expect(run).to.deep.include({ status: 'running', filter: { status: 'failed' }, total: 12 });
    const [one, two] = [await ended(runs[0].redelivery_id), await ended(runs[1].redelivery_id)];
    expect([one.status, two.status, one.pending + two.pending]).to.deep.equal(['completed', 'completed', 0]);
    expect([one.started + two.started, one.delivered + two.delivered]).to.deep.equal([12, 12]);
    expect(one.ended_at).to.be.a('string');
    expect(replayed()).to.deep.equal(failed.toSorted());
    const made = await DeliveryModel.query().whereIn('redelivery_id', [one.redelivery_id, two.redelivery_id]);
    expect(made.map(({ replayed_from }) => replayed_from).sort()).to.deep.equal(failed.toSorted());
    for (const { id, workflow_id } of made) expect(workflow_id).to.equal(id);
    expect(await ended((await ask()).redelivery_id)).to.include({ status: 'completed', total: 0, started: 0 });
  });

  it('redeliver the deliveries that match their filter', async () => {
    const other = await createSession(await createAssistant(workspace_id, { webhook_url: receiver.url }));
    const old = await createEnded('failed', { created_at: new Date('2026-01-01T00:00:00Z') });
    const recent = await createEnded();
    const stopped = await createEnded('stopped');
    const others = await createEnded('failed', {}, other);
    const check = async (filter: object, expected: string) => {
      const { redelivery_id } = await ask(filter);
      expect(await ended(redelivery_id)).to.include({ status: 'completed', total: 1, delivered: 1 });
      const made = await DeliveryModel.query().where({ redelivery_id });
      expect(made.map(({ replayed_from }) => replayed_from)).to.deep.equal([expected]);
    };
    await Promise.all([
      check({ created_before: '2026-01-02T00:00:00Z' }, old),
      check({ assistant_id: other.assistant_id }, others),
      check({ status: 'stopped' }, stopped),
      check({ created_after: '2026-01-02T00:00:00Z', assistant_id: assistant.id }, recent),
    ]);
  });

  it('redeliver the selected deliveries that have ended, whatever their status', async () => {
    const chosen = [await createEnded('failed'), await createEnded('stopped'), await createEnded('delivered')];
    await createEnded('failed');
    const delivery_id = [...chosen, (await createDelivery(session)).id];
    const stranger = await createOwner();
    const preview = { token: stranger.token, body: { delivery_id, dry_run: true } };
    expect((await send(service.api, redeliverMany, preview)).body.total).to.equal(0);
    const { redelivery_id } = await ask({ delivery_id });
    expect(await ended(redelivery_id)).to.include({ status: 'completed', total: 3, delivered: 3 });
    const made = await DeliveryModel.query().where({ redelivery_id });
    expect(made.map(({ replayed_from }) => replayed_from)).to.have.members(chosen);
  });

  it('redeliver the latest redelivery of a payload, once, under the ID of the original', async () => {
    answer = (response) => response.writeHead(503).end();
    const original = await createEnded();
    for (let count = 1; count <= 2; count += 1) {
      const { redelivery_id, total } = await ask();
      const [copy] = await eventually(
        async () => DeliveryModel.query().where({ redelivery_id }),
        ({ length }) => length > 0,
      );
      await DeliveryModel.patchPending(copy?.id ?? '', { status: 'failed', next_attempt_at: null });
      expect([total, copy?.replayed_from]).to.deep.equal([1, original]);
    }
  });

  it('continue after the worker was lost: nothing is skipped or repeated', async () => {
    const failed = await failures(3);
    const run = await RedeliveryModel.create(workspace_id, { status: 'failed' });
    // The first page was stored, and the worker died before it started those deliveries.
    const [original] = await DeliveryModel.query().where({ session_id: session.id }).orderBy('id').limit(1);
    const { id = '', assistant_id = '', event = 'session.completed', payload = '' } = original ?? {};
    await DeliveryModel.createOwn([
      { workspace_id, session_id: session.id, assistant_id, event, payload, replayed_from: id, redelivery_id: run.id },
    ]);
    await run.$query().patch({ last_id: id });
    await startRedelivery((await testTemporal()).temporal.client, run.id);
    const progress = await eventually(
      () => read(run.id),
      ({ delivered }) => delivered === 2,
    );
    expect(progress).to.include({ status: 'running', started: 3, pending: 1 });
    expect(replayed()).to.deep.equal(failed.filter((each) => each !== id).toSorted());
    await send(service.api, cancelRedelivery, { token, params: { id: run.id } });
  });

  it('have at most 100 deliveries in progress', async () => {
    answer = (response) => response.writeHead(503).end();
    await failures(12);
    const { id: redelivery_id } = await RedeliveryModel.create(workspace_id, { status: 'failed' });
    const { id: session_id, assistant_id } = session;
    const pending = { workspace_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
    await DeliveryModel.createOwn(Array.from({ length: 95 }, () => ({ ...pending, redelivery_id })));
    await startRedelivery((await testTemporal()).temporal.client, redelivery_id);
    const countSteps = async () =>
      stepsOf(await (await workflowOf(redelivery_id)).fetchHistory()).filter((step) => step.name !== 'timer').length;
    await eventually(countSteps, (count) => count > 2);
    expect(await read(redelivery_id)).to.include({ status: 'running', started: 100, pending: 100 });
    const made = await DeliveryModel.query().where({ redelivery_id }).whereNotNull('replayed_from').resultSize();
    expect(made).to.equal(5);
    await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
  });

  describe('POST /v1/redeliveries/{id}/cancel', () => {
    it('starts no more deliveries and ends the workflow; a second cancel is 409', async () => {
      await failures(25);
      const { redelivery_id } = await ask();
      const { status, body } = await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'canceled', total: 25 });
      await untilWorkflowEnds(redelivery_id);
      const { started } = await read(redelivery_id);
      expect(started).to.be.at.most(20);
      expect(await read(redelivery_id)).to.include({ status: 'canceled' });
      const again = await send(service.api, cancelRedelivery, { token, params: { id: redelivery_id } });
      expect(again.problem).to.include({ status: 409, code: 'conflict' });
    });

    it('also sets the status to canceled if an operator cancels the workflow', async () => {
      await failures(15);
      const { redelivery_id } = await ask();
      await (await workflowOf(redelivery_id)).cancel();
      expect(await ended(redelivery_id)).to.include({ status: 'canceled' });
    });
  });
});
