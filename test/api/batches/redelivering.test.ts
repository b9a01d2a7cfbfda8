import type { Batch, BatchEstimate } from '../../../contract/sessions/batches.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { BatchModel } from '../../../db/models/batch.ts';
import { startBatch } from '../../../runtime/temporal/start.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createAssistant,
  createBatch as storeBatch,
  createDelivery,
  createOwner,
  createSession,
  sessionIdAt,
} from '../../support/factories.ts';
import { stepsOf } from '../../support/history.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { testTemporal, workflowOf } from '../../support/temporal.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useSharedService } from '../../support/shared-service.ts';

describe('A batch that redelivers', () => {
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
    of = session,
    fields: Partial<DeliveryModel> = {},
  ): Promise<string> {
    const { id } = await createDelivery(of);
    await DeliveryModel.patchPending(id, { status, next_attempt_at: null });
    await DeliveryModel.query().findById(id).patch(fields);
    return id;
  }

  const failures = (count: number) => Promise.all(Array.from({ length: count }, () => createEnded()));
  const SINCE_THEN = { delivery_ended_after: '2026-01-02T00:00:00Z' };
  const FAILED = { delivery_status: 'failed' } as const;

  const ask = (filter: object, body = {}) =>
    send(service.api, 'createBatch', { token, body: { action: 'redeliver', filter, ...body } });
  const begin = async (filter: object = FAILED) => (await ask(filter)).body as Batch;
  const read = async (id: string) => (await send(service.api, 'getBatch', { token, params: { id } })).body;
  const until = (id: string, isSo: (batch: Batch) => boolean) => eventually(() => read(id), isSo);
  const ended = (id: string) => until(id, ({ ended_at }) => ended_at !== null);
  const cancel = (id: string) => send(service.api, 'cancelBatch', { token, params: { id } });
  const store = (total: number) => {
    const fields = { action: 'redeliver', filter: FAILED, conditions: FAILED, total } as const;
    return storeBatch(workspace_id, fields);
  };
  const replayed = () => receiver.requests.map(({ headers }) => headers['x-webhook-replayed-from']).sort();
  const originalsOf = async (batch_id: string) => {
    const query = { batch_id, limit: 100 };
    const { data } = (await send(service.api, 'listDeliveries', { token, query })).body;
    return data.map(({ replayed_from }) => replayed_from).sort();
  };

  it('counts the deliveries in a dry run, and creates nothing', async () => {
    const ids = await failures(3);
    const { status, body } = await ask(FAILED, { dry_run: true });
    const receivers = [{ host: new URL(receiver.url).host, deliveries: 3 }];
    const free = { expected_cost_usd: 0, max_cost_usd: 0, sampled: false, receivers };
    expect([status, body as BatchEstimate]).to.deep.equal([200, { dry_run: true, total: 3, ...free }]);
    expect((await ask({ delivery_status: 'stopped' }, { dry_run: true })).body.total).to.equal(0);
    expect((await DeliveryModel.query().whereIn('replayed_from', ids)).length).to.equal(0);
    expect(await BatchModel.query().where({ workspace_id })).to.deep.equal([]);
  });

  it('redelivers each failed delivery once, in its own workflow, also if two run concurrently', async () => {
    const failed = [...(await failures(11)), await createEnded('failed', session, { alert: 'Angry' })];
    await createEnded('stopped');
    await createEnded('delivered');
    await createDelivery(session);
    await createEnded('failed', await createSession((await createOwner()).assistant));
    const runs = await Promise.all([begin(), begin()]);
    for (const run of runs) expect(run).to.deep.include({ status: 'running', filter: FAILED, total: 12 });
    const [one, two] = [await ended(runs[0].batch_id), await ended(runs[1].batch_id)];
    // The assistant has no such alert any more.
    expect([one.status, two.status, one.completed + two.completed]).to.deep.equal(['completed', 'completed', 11]);
    expect([one.canceled + two.canceled, one.failed + two.failed]).to.deep.equal([1, 0]);
    expect(replayed()).to.deep.equal(failed.slice(0, -1).toSorted());
    const made = await DeliveryModel.query().whereIn('batch_id', [one.batch_id, two.batch_id]);
    expect(made.map(({ replayed_from }) => replayed_from).sort()).to.deep.equal(failed.toSorted());
    for (const { id, workflow_id } of made) expect(workflow_id).to.equal(id);
    expect(await ended((await begin()).batch_id)).to.include({ status: 'completed', total: 0, completed: 0 });
  });

  it('finds the deliveries that failed during an outage, although their sessions ended before it', async () => {
    const before = new Date('2026-03-01T08:00:00Z');
    const [early, late] = [before, new Date('2026-03-01T08:12:00Z')];
    await createEnded('failed', session, { ended_at: new Date('2026-03-01T07:59:59Z') });
    for (const ended_at of [early, late])
      await createEnded('failed', session, { ended_at, created_at: new Date('2026-03-01T07:50:00Z') });
    const total = async (filter: object) => (await ask({ ...FAILED, ...filter }, { dry_run: true })).body.total;
    expect(await total({ delivery_ended_after: before.toISOString() })).to.equal(2);
    expect(
      await total({ delivery_ended_after: before.toISOString(), delivery_ended_before: late.toISOString() }),
    ).to.equal(1);
    const { paths } = await send(service.api, 'createBatch', { token, body: { action: 'delete', filter: SINCE_THEN } });
    expect(paths).to.deep.equal(['filter.delivery_ended_after']);
  });

  it('redelivers what matches its filter', async () => {
    const at = (time: string) => {
      const created_at = new Date(time);
      return createSession(assistant, {
        id: sessionIdAt(created_at),
        status: 'completed',
        created_at,
        completed_at: created_at,
      });
    };
    const [old, recent] = [await at('2026-01-01T00:00:00Z'), await at('2026-01-03T00:00:00Z')];
    const other = await createSession(await createAssistant(workspace_id, { webhook_url: receiver.url }), {
      metadata: { call_id: 'c-1' },
    });
    const failed = { old: await createEnded('failed', old), recent: await createEnded('failed', recent) };
    const delivered = { old: await createEnded('delivered', old), recent: await createEnded('delivered', recent) };
    const stopped = await createEnded('stopped', other);
    const pending = (await createDelivery(other)).id;
    const cases: [filter: object, expected: string[]][] = [
      [{ ...FAILED, completed_before: '2026-01-02T00:00:00Z' }, [failed.old]],
      [{ delivery_status: 'delivered', completed_after: '2026-01-02T00:00:00Z' }, [delivered.recent]],
      [{ delivery_status: 'stopped', delivery_ended_before: '2026-01-02T00:00:00Z' }, []],
      [{ delivery_status: 'stopped', assistant_id: other.assistant_id, ...SINCE_THEN }, [stopped]],
      [{ delivery_id: [delivered.old, failed.recent, pending] }, [delivered.old, failed.recent]],
      [{ delivery_status: 'stopped', session_id: [other.id], metadata: { call_id: 'c-1' } }, []],
    ];
    // One after another: each skips what the earlier ones have redelivered.
    for (const [filter, expected] of cases) {
      const { batch_id } = await begin(filter);
      const { length } = expected;
      expect(await ended(batch_id), JSON.stringify(filter)).to.include({ total: length, completed: length });
      expect(await originalsOf(batch_id), JSON.stringify(filter)).to.deep.equal(expected.toSorted());
    }
  });

  it('redelivers the latest redelivery of a payload, once, under the ID of the original', async () => {
    answer = (response) => response.writeHead(503).end();
    const original = await createEnded();
    for (let count = 1; count <= 2; count += 1) {
      const { batch_id, total } = await begin();
      const copies = async () => DeliveryModel.query().where({ batch_id });
      const [copy] = await eventually(copies, ({ length }) => length > 0);
      await DeliveryModel.patchPending(copy?.id ?? '', { status: 'failed', next_attempt_at: null });
      expect([total, copy?.replayed_from]).to.deep.equal([1, original]);
    }
  });

  it('is refused without the scope webhooks:write, and for a filter that it does not support', async () => {
    const restricted = { token, body: { name: 'a', scopes: ['sessions:write', 'sessions:read'] } };
    const { token: without } = (await send(service.api, 'createKey', restricted)).body;
    const body = { action: 'redeliver', filter: FAILED };
    const refused = await send(service.api, 'createBatch', { token: without, body });
    expect(refused.problem).to.include({ status: 403, code: 'insufficient_scope' });
    expect((await ask({})).paths).to.deep.equal(['filter.delivery_status']);
    expect((await ask({ delivery_status: 'pending' })).paths).to.deep.equal(['filter.delivery_status']);
    expect((await ask(FAILED, { max_cost_usd: 1 })).paths).to.deep.equal(['max_cost_usd']);
    const ids = { delivery_id: [(await createDelivery(session)).id] };
    expect((await ask(ids, { action: 'retry' })).paths).to.deep.equal(['filter.delivery_id']);
  });

  it('continues after the worker was lost: nothing is skipped or repeated', async () => {
    const failed = (await failures(3)).sort();
    const batch = await store(3);
    // The first delivery was stored, and the worker died before it started it.
    const [original] = await DeliveryModel.query().findByIds(failed.slice(0, 1));
    await DeliveryModel.createOwn([{ ...original!.toReplay(), batch_id: batch.id }]);
    await batch.$query().patch({ last_id: failed[0]!, begun: 1 });
    await startBatch((await testTemporal()).temporal.client, batch.id);
    expect(await until(batch.id, ({ completed }) => completed === 2)).to.include({ status: 'running', running: 1 });
    expect(replayed()).to.deep.equal(failed.slice(1));
    await cancel(batch.id);
  });

  it('has at most 100 deliveries in progress', async () => {
    answer = (response) => response.writeHead(503).end();
    await failures(12);
    const batch = await store(12);
    const { id: session_id, assistant_id } = session;
    const pending = { workspace_id, session_id, assistant_id, event: 'session.completed', payload: '{}' } as const;
    await DeliveryModel.createOwn(Array.from({ length: 97 }, () => ({ ...pending, batch_id: batch.id })));
    await batch.$query().patch({ begun: 97 });
    await startBatch((await testTemporal()).temporal.client, batch.id);
    const countSteps = async () =>
      stepsOf(await (await workflowOf(batch.id)).fetchHistory()).filter((step) => step.name !== 'timer').length;
    await eventually(countSteps, (count) => count > 2);
    expect(await read(batch.id)).to.include({ status: 'running', running: 100 });
    expect((await originalsOf(batch.id)).filter((id) => id !== null)).to.have.length(3);
    await cancel(batch.id);
  });

  it('starts no more deliveries after a cancellation, nor after an operator has canceled its workflow', async () => {
    await failures(25);
    const { batch_id } = await begin();
    expect((await cancel(batch_id)).body).to.include({ status: 'canceling', total: 25 });
    const { completed, remaining, status } = await ended(batch_id);
    expect(status).to.equal('canceled');
    expect(completed)
      .to.be.at.most(20)
      .and.equal(25 - remaining);
    expect((await cancel(batch_id)).problem).to.include({ status: 409, code: 'conflict' });
    const again = await begin();
    await (await workflowOf(again.batch_id)).cancel();
    expect(await ended(again.batch_id)).to.include({ status: 'canceled' });
  });
});
