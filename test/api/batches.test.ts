import { expect } from 'chai';
import { compareBatch } from '../../contract/batch-comparison.ts';
import { cancelBatch, createBatch, getBatch, listBatches } from '../../contract/batches.ts';
import type { Batch, BatchEstimate } from '../../contract/batches.ts';
import { updateAssistant } from '../../contract/assistants.ts';
import { listSessions } from '../../contract/sessions.ts';
import { BatchModel } from '../../db/models/batch.ts';
import { SessionModel } from '../../db/models/session.ts';
import { UserModel } from '../../db/models/user.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import {
  createAnswered,
  createAssistant,
  createBatch as createStoredBatch,
  createSession,
  createUser,
} from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';

const IN_FLIGHT = 6;
const OF_BATCHES = 4;

const AWAY = {
  code: 'unavailable',
  stage: 'analysis',
  provider: 'openai',
  message: 'was away',
  retryable: true,
} as const;

describe('Batches', () => {
  let service: TestService;
  let receiver: Receiver;
  let owner: SessionOwner;
  before(async function () {
    this.timeout(0);
    const env = {
      MAX_SESSIONS_IN_FLIGHT_PER_USER: String(IN_FLIGHT),
      MAX_BATCH_SESSIONS_IN_FLIGHT_PER_USER: String(OF_BATCHES),
      MAX_RUNNING_BATCHES_PER_USER: '2',
      MAX_SESSIONS_PER_BATCH: '40',
    };
    service = await startTestService({ env });
    receiver = await startReceiver((response) => response.end());
  });
  after(async () => {
    await receiver.stop();
    await service.stop();
  });
  beforeEach(async () => {
    receiver.requests.length = 0;
    owner = await createSessionOwner(() => service.api, {
      webhook_url: receiver.url,
      webhook_events: ['session.completed', 'session.failed'],
    });
  });
  afterEach(() => service.vendors.pass());

  /** Ended sessions of the owner, oldest first. */
  const addSessions = (count: number, fields: Partial<SessionModel> = {}, assistant = owner.assistant) =>
    Promise.all(
      Array.from({ length: count }, () =>
        createSession(assistant, { status: 'completed', completed_at: new Date(), ...fields }),
      ),
    ).then((rows) => rows.map(({ id }) => id).sort());

  const ask = (body: object, token = owner.token) => send(service.api, createBatch, { token, body });
  const begin = async (body: object): Promise<Batch> => (await ask(body)).body as Batch;
  const estimate = async (body: object) => (await ask({ ...body, dry_run: true })).body as BatchEstimate;
  const read = async (id: string) => (await send(service.api, getBatch, { token: owner.token, params: { id } })).body;
  const ended = (id: string) =>
    eventually(
      () => read(id),
      ({ ended_at }) => ended_at !== null,
      30_000,
    );
  const until = (id: string, isSo: (batch: Batch) => boolean) => eventually(() => read(id), isSo, 30_000);
  const ofOwner = () => ({ filter: { assistant_id: owner.assistant.id } });
  const madeBy = (batch_id: string) => SessionModel.query().where({ batch_id }).orderBy('source_session_id');

  describe('that reanalyze', () => {
    it('make one new session of each that matches, with other settings, and send no webhook', async () => {
      const ids = await addSessions(11, { metadata: { call_id: 'c-1' } });
      await addSessions(1, { source_session_id: ids[0]! });
      await addSessions(1, { status: 'analyzing', completed_at: null, check_after: new Date(Date.now() + 600_000) });
      await addSessions(1, {}, await createAssistant(owner.assistant.user_id));
      const overrides = {
        system_prompt: 'Shorter.',
        fields: [{ name: 'polite', type: 'boolean', description: 'So?' }],
      };
      const answer = await ask({ action: 'reanalyze', ...ofOwner(), overrides });
      const asked = answer.body as Batch;
      expect(answer.status).to.equal(202);
      expect(answer.headers.get('location')).to.equal(`/api/v1/batches/${asked.batch_id}`);
      expect(asked).to.deep.include({ total: 11, remaining: 11, status: 'running', assistant_version: null });
      const done = await ended(asked.batch_id);
      expect(done).to.include({ status: 'completed', completed: 11, remaining: 0, running: 0, failed: 0 });
      const made = await madeBy(asked.batch_id);
      expect(made.map(({ source_session_id }) => source_session_id)).to.deep.equal(ids);
      for (const session of made) {
        expect(session.assistant).to.deep.include({ system_prompt: 'Shorter.', llm_model: 'gpt-6-luna' });
        expect(Object.keys(session.raw_response?.['fields'] as object)).to.deep.equal(['polite']);
        expect(session).to.deep.include({ metadata: { call_id: 'c-1' }, assistant_version: null, type: 'text' });
      }
      const calls = await VendorCallModel.query().whereIn(
        'session_id',
        made.map(({ id }) => id),
      );
      expect(calls).to.have.length(11);
      expect(done.cost_usd).to.be.closeTo(
        calls.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
        1e-9,
      );
      expect(receiver.requests).to.deep.equal([]);
      const query = { batch_id: asked.batch_id };
      expect((await send(service.api, listSessions, { token: owner.token, query })).body.data).to.have.length(11);
    });

    it('send webhooks where they are asked to', async () => {
      await addSessions(2);
      const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner(), notify: true });
      expect(await ended(batch_id)).to.include({ completed: 2, assistant_version: 1 });
      await eventually(
        () => receiver.requests.length,
        (count) => count === 2,
      );
    });

    it('take the settings of an earlier version', async () => {
      const { token, assistant } = owner;
      const params = { id: assistant.id };
      await send(service.api, updateAssistant, { token, params, body: { system_prompt: 'Quite another one.' } });
      await addSessions(1);
      const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner(), version: 1 });
      expect(await ended(batch_id)).to.include({ completed: 1, assistant_version: 1 });
      const [made] = await madeBy(batch_id);
      expect(made?.assistant).to.deep.equal(assistant.freeze());
    });

    it('say beforehand how many they are and what they cost, and begin nothing', async () => {
      const id = await owner.submit();
      await owner.untilEnded(id);
      const [paid] = await VendorCallModel.findOfSession(id);
      const found = await estimate({ action: 'reanalyze', ...ofOwner() });
      expect(found).to.include({ total: 1, sampled: false });
      expect(found.expected_cost_usd).to.be.closeTo(paid?.cost_usd ?? NaN, (paid?.cost_usd ?? NaN) / 10);
      expect(found.max_cost_usd).to.be.greaterThan(found.expected_cost_usd ?? Infinity);
      const longer = { system_prompt: 'Look closely. '.repeat(1_000) };
      const more = await estimate({ action: 'reanalyze', ...ofOwner(), overrides: longer });
      expect(more.expected_cost_usd).to.be.greaterThan((found.expected_cost_usd ?? Infinity) * 2);
      const overrides = { llm_model: 'nobody-has-a-price' };
      expect(await estimate({ action: 'reanalyze', ...ofOwner(), overrides })).to.include({ expected_cost_usd: null });
      expect(await estimate({ action: 'delete', ...ofOwner() })).to.include({ total: 1, max_cost_usd: 0 });
      expect(await BatchModel.query().where({ user_id: owner.assistant.user_id })).to.deep.equal([]);
    });
  });

  describe('GET /v1/batches/{id}/comparison', () => {
    const compare = (id: string, query = {}) =>
      send(service.api, compareBatch, { token: owner.token, params: { id }, query });
    const asked = (name: string) => ({ name, type: 'boolean', description: 'Is it so?' });
    const conversation = [{ role: 'client', text: '[field resolved=true] [field polite=true] Thank you.' }];

    it('shows each session before and after, counts what changed, and sums what both cost', async () => {
      const before = (fields: object) => ({ conversation, summary_text: 'Before.', raw_response: { fields } });
      const [same] = await addSessions(1, before({ resolved: true, mood: 'calm' }));
      const [changed] = await addSessions(1, before({ resolved: false }));
      const [gone] = await addSessions(1, before({ resolved: false }));
      const overrides = { fields: [asked('resolved'), asked('polite')] };
      const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner(), overrides });
      await ended(batch_id);
      await SessionModel.query().deleteById(gone ?? '');
      const { data, totals, next_cursor } = (await compare(batch_id)).body;
      expect(next_cursor).to.equal(null);
      expect(data.map(({ before: { session_id } }) => session_id)).to.deep.equal([changed, same]);
      expect(data[1]?.fields).to.deep.equal([
        { name: 'mood', before: 'calm', after: null, change: 'lost' },
        { name: 'polite', before: null, after: true, change: 'gained' },
        { name: 'resolved', before: true, after: true, change: 'same' },
      ]);
      expect(data[0]?.fields.at(-1)).to.include({ name: 'resolved', before: false, after: true, change: 'changed' });
      expect(data[0]?.before).to.include({ status: 'completed', summary_text: 'Before.', cost_usd: 0 });
      const [call] = await VendorCallModel.findOfSession(data[0]?.after.session_id ?? '');
      expect(data[0]?.after).to.include({ status: 'completed', cost_usd: call?.cost_usd });
      expect(totals).to.deep.include({
        ...{ sessions: 2, sampled: false, before: { cost_usd: 0, duration_s: 0 } },
        fields: [
          { name: 'mood', same: 0, changed: 0, gained: 0, lost: 1 },
          { name: 'polite', same: 0, changed: 0, gained: 2, lost: 0 },
          { name: 'resolved', same: 1, changed: 1, gained: 0, lost: 0 },
        ],
      });
      expect(totals?.after.cost_usd).to.be.greaterThan(0);
      const idsOf = async (query: object) =>
        (await compare(batch_id, query)).body.data.map((pair) => pair.before.session_id);
      expect(await idsOf({ changed: 'resolved' })).to.deep.equal([changed]);
      const first = (await compare(batch_id, { limit: 1 })).body;
      const cursor = first.next_cursor ?? '';
      const second = (await compare(batch_id, { limit: 1, cursor })).body;
      expect(second.data.map((pair) => pair.before.session_id)).to.deep.equal([same]);
      expect([second.totals, second.next_cursor]).to.deep.equal([null, null]);
    });

    it('answers 409 where nothing was made anew', async () => {
      const { id } = await createStoredBatch(owner.assistant.user_id, { action: 'delete' });
      expect((await compare(id)).problem.code).to.equal('conflict');
    });
  });

  it('that retry run again what failed in a way that may pass', async () => {
    const fields = { status: 'failed' as const, error: AWAY };
    const away = await addSessions(3, fields);
    const [refused] = await addSessions(1, { ...fields, error: { ...AWAY, code: 'bad_input', retryable: false } });
    expect(await estimate({ action: 'retry', ...ofOwner() })).to.include({ total: 3, expected_cost_usd: null });
    const { batch_id } = await begin({ action: 'retry', ...ofOwner() });
    expect(await ended(batch_id)).to.include({ total: 3, completed: 3, failed: 0 });
    const rows = await SessionModel.query().findByIds(away);
    for (const row of rows) {
      expect(row).to.include({ status: 'completed', batch_id });
      expect(row.earlier_runs).to.have.length(1);
    }
    expect((await owner.read(refused ?? '')).status).to.equal('failed');
    expect(receiver.requests).to.deep.equal([]);
    expect(await estimate({ action: 'retry', ...ofOwner() })).to.include({ total: 0 });
  });

  it('that delete remove what matches, and nothing else', async () => {
    const metadata = { campaign: 'spring' };
    await addSessions(5, { metadata });
    const kept = await addSessions(2);
    const filter = { metadata, created_after: '2026-01-02T00:00:00Z' };
    const { batch_id } = await begin({ action: 'delete', filter });
    expect(await ended(batch_id)).to.include({ total: 5, completed: 5, canceled: 0, cost_usd: 0 });
    const left = await SessionModel.query().select('id').where({ user_id: owner.assistant.user_id }).orderBy('id');
    expect(left.map(({ id }) => id)).to.deep.equal(kept);
  });

  it('take the filters by fields too', async () => {
    const fields = [{ name: 'resolved', type: 'boolean' as const, description: 'Is it so?', evidence: true }];
    const assistant = await createAssistant(owner.assistant.user_id, { fields });
    const [yes, no] = [
      await createAnswered(assistant, { resolved: true }),
      await createAnswered(assistant, { resolved: false }),
    ];
    const filter = { assistant_id: assistant.id, field: ['resolved:eq:false'] };
    const { batch_id } = await begin({ action: 'delete', filter });
    expect(await ended(batch_id)).to.deep.include({ total: 1, completed: 1, filter });
    const left = await SessionModel.query().select('id').findByIds([yes.id, no.id]);
    expect(left.map(({ id }) => id)).to.deep.equal([yes.id]);
  });

  it('leave room for new requests, which come first', async () => {
    await addSessions(OF_BATCHES + 3);
    service.vendors.hang();
    const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner() });
    const full = await until(batch_id, ({ running }) => running === OF_BATCHES);
    expect(full.remaining).to.equal(3);
    const live: string[] = [];
    for (let i = 0; i < IN_FLIGHT - OF_BATCHES + 1; i++) live.push(await owner.submit());
    const statusOf = async (id: string) => (await owner.read(id)).status;
    for (const id of live.slice(0, -1)) {
      await eventually(
        () => statusOf(id),
        (status) => status === 'analyzing',
      );
    }
    expect((await read(batch_id)).running).to.equal(OF_BATCHES);
    await service.vendors.pass();
    expect(await ended(batch_id)).to.include({ completed: OF_BATCHES + 3 });
    await Promise.all(live.map((id) => owner.untilEnded(id)));
  });

  it('wait while the monthly budget is used up, and go on by themselves', async () => {
    await addSessions(2);
    const setBudget = (monthly_budget_usd: number | null) =>
      UserModel.query().findById(owner.assistant.user_id).patch({ monthly_budget_usd });
    await setBudget(0);
    const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner() });
    expect(await until(batch_id, ({ held_by }) => held_by !== null)).to.include({ held_by: 'budget', remaining: 2 });
    await setBudget(null);
    expect(await ended(batch_id)).to.include({ status: 'completed', completed: 2, held_by: null });
  });

  it('end when they are canceled: nothing more is begun, and what waits is canceled; a second time answers 409', async () => {
    await addSessions(OF_BATCHES + 3);
    service.vendors.hang();
    const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner() });
    await until(batch_id, ({ running }) => running === OF_BATCHES);
    const cancel = () => send(service.api, cancelBatch, { token: owner.token, params: { id: batch_id } });
    expect((await cancel()).body.status).to.equal('canceling');
    expect((await cancel()).problem).to.include({ status: 409, code: 'conflict' });
    await service.vendors.pass();
    const done = await ended(batch_id);
    expect(done).to.include({ status: 'canceled', remaining: 3, running: 0 });
    expect(done.completed + done.canceled).to.equal(OF_BATCHES);
    expect(await madeBy(batch_id)).to.have.length(OF_BATCHES);
  });

  it('cancel what is stored and not started yet', async () => {
    const { id } = await createStoredBatch(owner.assistant.user_id, { action: 'reanalyze' });
    const session = await createSession(owner.assistant, { batch_id: id });
    await send(service.api, cancelBatch, { token: owner.token, params: { id } });
    expect((await owner.read(session.id)).status).to.equal('canceled');
  });

  it('are listed newest first, and no more run at once than may', async () => {
    await UserModel.query().findById(owner.assistant.user_id).patch({ monthly_budget_usd: 0 });
    await addSessions(1);
    const body = { action: 'reanalyze', ...ofOwner() };
    const [first, second] = [await begin(body), await begin(body)];
    expect((await ask(body)).problem).to.include({ status: 409, code: 'quota_exceeded' });
    const idsOf = async (query = {}) =>
      (await send(service.api, listBatches, { token: owner.token, query })).body.data.map(({ batch_id }) => batch_id);
    expect(await idsOf()).to.deep.equal([second.batch_id, first.batch_id]);
    expect(await idsOf({ limit: 1 })).to.deep.equal([second.batch_id]);
    await send(service.api, cancelBatch, { token: owner.token, params: { id: first.batch_id } });
    await ended(first.batch_id);
    expect(await idsOf({ status: 'canceled' })).to.deep.equal([first.batch_id]);
  });

  it('that make no sense are refused with the field that says why, and nothing is stored', async () => {
    const stranger = await createUser();
    const foreign = (await createAssistant(stranger.user.id)).id;
    await addSessions(41);
    const { id } = owner.assistant;
    const reanalyze = (more: object = {}) => ({ action: 'reanalyze', ...ofOwner(), ...more });
    for (const [body, path] of [
      [{ action: 'reanalyze', filter: {} }, 'filter.assistant_id'],
      [{ action: 'reanalyze', filter: { assistant_id: foreign } }, 'filter.assistant_id'],
      [{ action: 'delete', filter: {} }, 'filter'],
      [{ action: 'retry', filter: { nonsense: 1 } }, 'filter.nonsense'],
      [{ action: 'retry', filter: { assistant_id: id, field: ['score:gte:8'] } }, 'filter.field.0'],
      [{ action: 'retry', filter: {}, overrides: {} }, 'overrides'],
      [{ action: 'delete', filter: { assistant_id: id }, version: 1 }, 'version'],
      [reanalyze({ version: 1, overrides: {} }), 'version'],
      [reanalyze({ version: 7 }), 'version'],
      [reanalyze({ overrides: { llm_provider: 'mistral' } }), 'overrides.llm_provider'],
      [reanalyze(), 'filter'],
    ] as const) {
      const { problem } = await ask(body);
      expect(problem.code, JSON.stringify(body)).to.equal('validation_failed');
      expect(problem.errors?.map((error) => error.path)).to.deep.equal([path]);
    }
    expect(await BatchModel.query().where({ user_id: owner.assistant.user_id })).to.deep.equal([]);
  });
});
