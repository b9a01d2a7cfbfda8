import type { Batch } from '../../../contract/sessions/batches.ts';
import { BatchModel } from '../../../db/models/batch.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { openEventStream } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { createSession } from '../../support/factories.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { useSharedService } from '../../support/shared-service.ts';

describe('A batch', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  const addSessions = (count: number) => {
    const ended = () => createSession(owner.assistant, { status: 'completed' });
    return Promise.all(Array.from({ length: count }, ended));
  };
  const ask = (body: object = {}, key?: string) =>
    send(service.api, 'createBatch', {
      token: owner.token,
      body: { action: 'reanalyze', filter: { assistant_id: owner.assistant.id }, ...body },
      ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
    });
  const begin = async (body: object = {}) => (await ask(body)).body as Batch;
  const params = (id: string) => ({ token: owner.token, params: { id } });
  const read = async (id: string) => (await send(service.api, 'getBatch', params(id))).body;
  const until = (id: string, isSo: (batch: Batch) => boolean) => eventually(() => read(id), isSo);
  const isOver = ({ ended_at }: Batch) => ended_at !== null;
  const stored = () => BatchModel.query().where({ workspace_id: owner.assistant.workspace_id });

  describe('under an Idempotency-Key', () => {
    it('is created once by eight concurrent requests, and returned again after it has ended', async () => {
      await addSessions(2);
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask({}, 'once')));
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(8).fill(202));
      const ids = new Set(answers.map(({ body }) => (body as Batch).batch_id));
      expect([ids.size, await stored().resultSize()]).to.deep.equal([1, 1]);
      const replays = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
      expect(replays).to.have.length(7);
      await until([...ids][0] ?? '', isOver);
      const again = await ask({}, 'once');
      expect(again.body).to.include({ status: 'completed', batch_id: [...ids][0] });
      expect(again.headers.get('location')).to.equal(`/api/v1/batches/${[...ids][0]}`);
    });

    it('is refused for another request, and created again after a day; an estimate uses no key', async () => {
      expect((await ask({ dry_run: true }, 'day')).status).to.equal(200);
      const { batch_id } = (await ask({}, 'day')).body as Batch;
      const other = { notify: true };
      expect((await ask(other, 'day')).problem).to.include({ status: 422, code: 'idempotency_key_reused' });
      expect(await stored().resultSize()).to.equal(1);
      await BatchModel.query()
        .findById(batch_id)
        .patch({ created_at: new Date(Date.now() - 25 * 3_600_000) });
      const { body, headers } = await ask(other, 'day');
      expect((body as Batch).batch_id).not.to.equal(batch_id);
      expect(headers.get('Idempotent-Replayed')).to.equal(null);
    });
  });

  describe('with max_cost_usd', () => {
    /** Returns the cost of one of these sessions. */
    const costOfOne = async () => {
      const id = await owner.submit('Hello.');
      await owner.untilEnded(id);
      const [call] = await ProviderCallModel.findOfSession(id);
      await SessionModel.query().deleteById(id);
      return call?.cost_usd ?? NaN;
    };

    it('starts sessions up to the limit, reports held_by, and continues when the limit is raised', async () => {
      const cost = await costOfOne();
      await addSessions(4);
      const { batch_id } = await begin({ max_cost_usd: 0 });
      const held = ({ held_by }: Batch) => held_by !== null;
      expect(await until(batch_id, held)).to.include({ held_by: 'max_cost', remaining: 4, cost_usd: 0 });
      await send(service.api, 'updateBatch', { ...params(batch_id), body: { max_cost_usd: cost * 2.5 } });
      const part = await until(
        batch_id,
        ({ completed, running, held_by }) => completed > 0 && !running && held_by !== null,
      );
      expect(part).to.include({ held_by: 'max_cost', status: 'running' });
      expect(part.completed).to.be.within(1, 3);
      expect(part.cost_usd).to.be.at.most(part.max_cost_usd ?? 0);
      const raised = await send(service.api, 'updateBatch', { ...params(batch_id), body: { max_cost_usd: null } });
      expect(raised.body).to.include({ max_cost_usd: null });
      const done = await until(batch_id, isOver);
      expect(done).to.include({ completed: 4, held_by: null });
      const late = await send(service.api, 'updateBatch', { ...params(batch_id), body: { max_cost_usd: 1 } });
      expect(late.problem).to.include({ status: 409, code: 'conflict' });
    });

    it('is refused if it is negative, or if the cost is unknown or zero', async () => {
      const pathsOf = async (body: object) => (await ask(body)).paths;
      const unknown = { overrides: { llm_model: 'nobody-has-a-price' }, max_cost_usd: 1 };
      expect(await pathsOf(unknown)).to.deep.equal(['max_cost_usd']);
      expect(await pathsOf({ action: 'delete', max_cost_usd: 1 })).to.deep.equal(['max_cost_usd']);
      expect(await pathsOf({ max_cost_usd: -1 })).to.deep.equal(['max_cost_usd']);
    });
  });

  it('sends its progress as events', async () => {
    await addSessions(2);
    const stream = await openEventStream(service.api, { Authorization: `Bearer ${owner.token}` });
    try {
      const { batch_id } = await begin();
      await until(batch_id, isOver);
      const told = await eventually(
        () => stream.events.filter(({ event }) => event === 'batch').map(({ data }) => data),
        (events) => events.some((data) => 'status' in data && data.status === 'completed'),
      );
      // Changes in quick succession are merged into one event, so the first event may already count a session.
      expect(told[0]).to.include({ batch_id, status: 'running', total: 2 });
      expect(told.at(-1)).to.deep.equal({ batch_id, status: 'completed', total: 2, ended: 2 });
    } finally {
      stream.close();
    }
  });
});
