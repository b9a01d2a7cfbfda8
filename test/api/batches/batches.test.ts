import { removeExpiredRows } from '../../../activities/sweeps/remove-expired-sessions.ts';
import type { Batch, BatchEstimate } from '../../../contract/sessions/batches.ts';
import { BatchModel } from '../../../db/models/batch.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionReviewModel } from '../../../db/models/session-review.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import {
  createAnswered,
  createAssistant,
  createBatch as createStoredBatch,
  createCall,
  createReview,
  createSession,
  createUser,
} from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';
import { useTestService } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { createSessionOwner } from '../../support/sessions.ts';
import type { SessionOwner } from '../../support/sessions.ts';

/** Limit of unfinished sessions of the batches of one workspace. */
const OF_BATCHES = 25;
const COUNT = OF_BATCHES + 3;

const AWAY = { code: 'unavailable', stage: 'analysis', provider: 'openai', message: 'away', retryable: true } as const;

describe('Batches', () => {
  const service = useTestService({
    adjust: ({ quotas }) => Object.assign(quotas, { runningBatches: 2, sessionsPerBatch: 40 }),
  });
  let receiver: Receiver;
  let owner: SessionOwner;
  beforeEach(async () => {
    receiver = await stopAfterTest(startReceiver());
    owner = await createSessionOwner(() => service.api, {
      webhook_url: receiver.url,
      webhook_events: ['session.completed', 'session.failed'],
    });
  });
  afterEach(() => service.providers.pass());

  /** Creates ended sessions of the owner, and returns their IDs, oldest first. */
  const addSessions = (count: number, fields: Partial<SessionModel> = {}, assistant = owner.assistant) =>
    Promise.all(Array.from({ length: count }, () => createSession(assistant, { status: 'completed', ...fields }))).then(
      (rows) => rows.map(({ id }) => id).sort(),
    );

  const ask = (body: object, token = owner.token) => send(service.api, 'createBatch', { token, body });
  const begin = async (body: object): Promise<Batch> => (await ask(body)).body as Batch;
  const estimate = async (body: object) => (await ask({ ...body, dry_run: true })).body as BatchEstimate;
  const read = async (id: string) => (await send(service.api, 'getBatch', { token: owner.token, params: { id } })).body;
  const until = (id: string, isSo: (batch: Batch) => boolean) => eventually(() => read(id), isSo);
  const ended = (id: string) => until(id, ({ ended_at }) => ended_at !== null);
  const ofOwner = () => ({ filter: { assistant_id: owner.assistant.id } });
  const madeBy = (batch_id: string) => SessionModel.query().where({ batch_id }).orderBy('source_session_id');

  describe('that reanalyze', () => {
    it('create one new session for each match, with overrides, without webhooks', async () => {
      const ids = await addSessions(COUNT, { metadata: { call_id: 'c-1' } });
      await addSessions(1, { source_session_id: ids[0]! });
      await addSessions(1, { status: 'analyzing', completed_at: null, check_after: new Date(Date.now() + 600_000) });
      await addSessions(1, {}, await createAssistant(owner.assistant.workspace_id));
      const fields = [{ name: 'polite', type: 'boolean', description: 'So?', evidence: true }];
      const overrides = { system_prompt: 'Shorter.', fields };
      const answer = await ask({ name: 'Shorter', action: 'reanalyze', ...ofOwner(), overrides });
      const asked = answer.body as Batch;
      expect(answer.status).to.equal(202);
      expect(answer.headers.get('location')).to.equal(`/api/v1/batches/${asked.batch_id}`);
      expect(asked).to.deep.include({ total: COUNT, remaining: COUNT, status: 'running', assistant_version: null });
      expect(asked).to.deep.include({ name: 'Shorter', overrides });
      const done = await ended(asked.batch_id);
      expect(done).to.include({ status: 'completed', completed: COUNT, remaining: 0, running: 0, failed: 0 });
      const made = await madeBy(asked.batch_id);
      expect(made.map(({ source_session_id }) => source_session_id)).to.deep.equal(ids);
      for (const session of made) {
        expect(session.assistant).to.deep.include({ system_prompt: 'Shorter.', llm_model: 'gpt-6-luna' });
        expect(Object.keys(session.raw_response?.['fields'] as object)).to.deep.equal(['polite']);
        expect(session).to.deep.include({ metadata: { call_id: 'c-1' }, assistant_version: null, type: 'text' });
        expect(session.created_by).to.match(/^key_/);
      }
      const madeIds = made.map(({ id }) => id);
      const calls = await ProviderCallModel.query().whereIn('session_id', madeIds);
      expect(calls).to.have.length(COUNT);
      const cost = calls.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
      expect(done.cost_usd).to.be.closeTo(cost, 1e-9);
      expect(receiver.requests).to.deep.equal([]);
      expect(done).to.deep.include({ name: 'Shorter', overrides });
      const { token } = owner;
      const listed = (await send(service.api, 'listBatches', { token })).body.data[0];
      expect(listed).to.include({ name: 'Shorter' }).and.not.have.property('overrides');
      const query = { batch_id: asked.batch_id };
      expect((await send(service.api, 'listSessions', { token, query })).body.data).to.have.length(COUNT);
    });

    it('use the settings of an earlier version, and send webhooks if notify is true', async () => {
      const { token, assistant } = owner;
      const params = { id: assistant.id };
      await send(service.api, 'updateAssistant', { token, params, body: { system_prompt: 'Quite another one.' } });
      await addSessions(2);
      const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner(), version: 1, notify: true });
      expect(await ended(batch_id)).to.include({ completed: 2, assistant_version: 1 });
      for (const made of await madeBy(batch_id)) expect(made.assistant).to.deep.equal(assistant.freeze());
      await receiver.until(2);
    });

    it('estimate number and cost beforehand, like the dry run of a single reanalysis, and start nothing', async () => {
      const id = await owner.submit();
      await owner.untilEnded(id);
      const [paid] = await ProviderCallModel.findOfSession(id);
      const found = await estimate({ action: 'reanalyze', ...ofOwner() });
      expect(found).to.include({ total: 1, sampled: false });
      expect(found.expected_cost_usd).to.be.closeTo(paid?.cost_usd ?? NaN, (paid?.cost_usd ?? NaN) / 10);
      expect(found.max_cost_usd).to.be.greaterThan(found.expected_cost_usd ?? Infinity);
      const longer = { system_prompt: 'Look closely. '.repeat(1_000) };
      const more = await estimate({ action: 'reanalyze', ...ofOwner(), overrides: longer });
      expect(more.expected_cost_usd).to.be.greaterThan((found.expected_cost_usd ?? Infinity) * 2);
      const overrides = { llm_model: 'nobody-has-a-price' };
      expect(await estimate({ action: 'reanalyze', ...ofOwner(), overrides })).to.include({ expected_cost_usd: null });
      const single = { token: owner.token, params: { id }, body: { ...longer, dry_run: true } };
      const { expected_cost_usd, max_cost_usd } = more;
      const reanalysis = (await send(service.api, 'reanalyzeSession', single)).body;
      expect(reanalysis, 'the dry run of a single reanalysis').to.include({ expected_cost_usd, max_cost_usd });
      expect(await estimate({ action: 'delete', ...ofOwner() })).to.include({ total: 1, max_cost_usd: 0 });
      expect(await BatchModel.query().where({ workspace_id: owner.assistant.workspace_id })).to.deep.equal([]);
    });
  });

  describe('GET /v1/batches/{id}/comparison', () => {
    const readComparison = (id: string, query = {}) =>
      send(service.api, 'compareBatch', { token: owner.token, params: { id }, query });
    const asked = (name: string) => ({ name, type: 'boolean', description: 'Is it so?' });
    const conversation = [{ role: 'client', text: '[field resolved=true] [field polite=true] Thank you.' }];

    it('shows each session before and after, counts the changes and sums the costs', async () => {
      const before = (fields: object) => ({ conversation, summary_text: 'Before.', raw_response: { fields } });
      const [same] = await addSessions(1, before({ resolved: true, mood: 'calm' }));
      const [changed] = await addSessions(1, before({ resolved: false }));
      const [gone] = await addSessions(1, before({ resolved: false }));
      const overrides = { fields: [asked('resolved'), asked('polite')] };
      const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner(), overrides });
      await ended(batch_id);
      await SessionModel.query().deleteById(gone ?? '');
      const unreviewed = { was_right: null, is_right: null };
      const { data, totals, next_cursor } = (await readComparison(batch_id)).body;
      expect(next_cursor).to.equal(null);
      expect(data.map(({ before: { session_id } }) => session_id)).to.deep.equal([changed, same]);
      expect(data[1]?.fields).to.deep.equal([
        { name: 'mood', before: 'calm', after: null, change: 'lost', ...unreviewed },
        { name: 'polite', before: null, after: true, change: 'gained', ...unreviewed },
        { name: 'resolved', before: true, after: true, change: 'same', ...unreviewed },
      ]);
      expect(data[0]?.fields.at(-1)).to.include({ name: 'resolved', before: false, after: true, change: 'changed' });
      expect(data[0]?.before).to.include({ status: 'completed', summary_text: 'Before.', cost_usd: 0 });
      const [call] = await ProviderCallModel.findOfSession(data[0]?.after.session_id ?? '');
      expect(data[0]?.after).to.include({ status: 'completed', cost_usd: call?.cost_usd });
      expect(totals).to.deep.include({
        sessions: 2,
        sampled: false,
        before: { cost_usd: 0, duration_s: 0 },
        fields: [
          { name: 'mood', same: 0, changed: 0, gained: 0, lost: 1 },
          { name: 'polite', same: 0, changed: 0, gained: 2, lost: 0 },
          { name: 'resolved', same: 1, changed: 1, gained: 0, lost: 0 },
        ],
      });
      expect(totals?.after.cost_usd).to.be.greaterThan(0);
      const idsOf = async (query: object) =>
        (await readComparison(batch_id, query)).body.data.map((pair) => pair.before.session_id);
      expect(await idsOf({ changed: 'resolved' })).to.deep.equal([changed]);
      const first = (await readComparison(batch_id, { limit: 1 })).body;
      const cursor = first.next_cursor ?? '';
      const second = (await readComparison(batch_id, { limit: 1, cursor })).body;
      expect(second.data.map((pair) => pair.before.session_id)).to.deep.equal([same]);
      expect([second.totals, second.next_cursor]).to.deep.equal([null, null]);
    });

    it('answers 409 if the batch created no sessions', async () => {
      const { id } = await createStoredBatch(owner.assistant.workspace_id, { action: 'delete' });
      expect((await readComparison(id)).problem.code).to.equal('conflict');
    });
  });

  it('that retry run sessions with a retryable error again', async () => {
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
    expect(await DeliveryModel.query().whereIn('session_id', away)).to.deep.equal([]);
    expect(await estimate({ action: 'retry', ...ofOwner() })).to.include({ total: 0 });
  });

  it('that retry are estimated from the completed sessions of each assistant', async () => {
    const other = await createAssistant(owner.assistant.workspace_id, { llm_model: owner.assistant.llm_model });
    const costs: number[] = [];
    for (const [assistant, input_tokens] of [
      [owner.assistant, 1_000],
      [other, 9_000],
    ] as const) {
      const session = await createSession(assistant, { status: 'completed' });
      const { llm_model: model } = session.assistant;
      await createCall(session, { model, started_at: new Date(), usage: { input_tokens, output_tokens: 50 } });
      const failed = { status: 'failed' as const, error: AWAY };
      await addSessions(2, failed, assistant);
      costs.push(
        (await estimate({ action: 'retry', filter: { assistant_id: assistant.id } })).expected_cost_usd ?? NaN,
      );
    }
    const [small = NaN, large = NaN] = costs;
    expect(small).to.be.greaterThan(0);
    expect(large).to.be.greaterThan(small * 5);
    const both = await estimate({ action: 'retry', filter: {} });
    expect(both.total).to.equal(4);
    expect(both.expected_cost_usd).to.be.closeTo(small + large, 1e-9);
  });

  it('that delete remove exactly what matches', async () => {
    const metadata = { campaign: 'spring' };
    await addSessions(5, { metadata });
    const kept = await addSessions(2);
    const { workspace_id } = owner.assistant;
    for (const session of await SessionModel.query().where({ workspace_id })) await createReview(session);
    const filter = { metadata, created_after: '2026-01-02T00:00:00Z' };
    const { batch_id } = await begin({ action: 'delete', filter });
    const erased = { filter: { erased: true } };
    expect(await ended(batch_id)).to.deep.include({ total: 5, completed: 5, canceled: 0, cost_usd: 0, ...erased });
    const stored = await BatchModel.query().findById(batch_id);
    expect(JSON.stringify(stored)).not.to.contain('spring');
    const left = await SessionModel.query().select('id').where({ workspace_id }).orderBy('id');
    expect(left.map(({ id }) => id)).to.deep.equal(kept);
    const reviews = await SessionReviewModel.query().where({ workspace_id }).orderBy('session_id');
    expect(reviews.map(({ session_id }) => session_id)).to.deep.equal(kept);
  });

  it('are kept for a year after their end', async () => {
    const { workspace_id } = owner.assistant;
    const [old, recent] = [await createStoredBatch(workspace_id), await createStoredBatch(workspace_id)];
    const endedAt = (days: number) =>
      ({ status: 'completed', ended_at: new Date(Date.now() - days * 86_400_000) }) as const;
    await old.$query().patch(endedAt(367));
    await recent.$query().patch(endedAt(360));
    await removeExpiredRows();
    expect(await BatchModel.query().select('id').findByIds([old.id, recent.id])).to.deep.equal([{ id: recent.id }]);
  });

  it('support filters by fields', async () => {
    const fields = [{ name: 'resolved', type: 'boolean' as const, description: 'Is it so?', evidence: true }];
    const assistant = await createAssistant(owner.assistant.workspace_id, { fields });
    const [yes, no] = [
      await createAnswered(assistant, { resolved: true }),
      await createAnswered(assistant, { resolved: false }),
    ];
    const filter = { assistant_id: assistant.id, field: ['resolved:eq:false'] };
    const { batch_id } = await begin({ action: 'delete', filter });
    expect(await ended(batch_id)).to.include({ total: 1, completed: 1 });
    const left = await SessionModel.query().select('id').findByIds([yes.id, no.id]);
    expect(left.map(({ id }) => id)).to.deep.equal([yes.id]);
  });

  it('wait while the monthly budget is used up, and continue automatically', async () => {
    await addSessions(2);
    const setBudget = (monthly_budget_usd: number | null) =>
      WorkspaceModel.query().findById(owner.assistant.workspace_id).patch({ monthly_budget_usd });
    await setBudget(0);
    const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner() });
    expect(await until(batch_id, ({ held_by }) => held_by !== null)).to.include({ held_by: 'budget', remaining: 2 });
    await setBudget(null);
    expect(await ended(batch_id)).to.include({ status: 'completed', completed: 2, held_by: null });
  });

  it('leave capacity for new requests; canceled ones start nothing more, and a second cancel is 409', async () => {
    const { id: stored } = await createStoredBatch(owner.assistant.workspace_id, { action: 'reanalyze' });
    const unstarted = await createSession(owner.assistant, { batch_id: stored });
    await send(service.api, 'cancelBatch', { token: owner.token, params: { id: stored } });
    expect((await owner.read(unstarted.id)).status, 'a session that was not started').to.equal('canceled');
    await SessionModel.query().deleteById(unstarted.id);

    await addSessions(COUNT);
    service.providers.hang();
    const { batch_id } = await begin({ action: 'reanalyze', ...ofOwner() });
    await until(batch_id, ({ running }) => running === OF_BATCHES);
    const live = await owner.submit();
    await owner.untilStatus(live, 'analyzing');
    expect(await read(batch_id)).to.include({ running: OF_BATCHES, remaining: 3 });
    const cancel = () => send(service.api, 'cancelBatch', { token: owner.token, params: { id: batch_id } });
    expect((await cancel()).body.status).to.equal('canceling');
    expect((await cancel()).problem).to.include({ status: 409, code: 'conflict' });
    await service.providers.pass();
    const done = await ended(batch_id);
    expect(done).to.include({ status: 'canceled', remaining: 3, running: 0 });
    expect(done.completed + done.canceled).to.equal(OF_BATCHES);
    expect(await madeBy(batch_id)).to.have.length(OF_BATCHES);
    expect((await owner.untilEnded(live)).status).to.equal('completed');
  });

  it('are listed newest first; the number of running ones is limited', async () => {
    await WorkspaceModel.query().findById(owner.assistant.workspace_id).patch({ monthly_budget_usd: 0 });
    await addSessions(1);
    const body = { action: 'reanalyze', ...ofOwner() };
    const [first, second] = [await begin(body), await begin(body)];
    expect((await ask(body)).problem).to.include({ status: 409, code: 'quota_exceeded' });
    const idsOf = async (query = {}) =>
      (await send(service.api, 'listBatches', { token: owner.token, query })).body.data.map(({ batch_id }) => batch_id);
    expect(await idsOf()).to.deep.equal([second.batch_id, first.batch_id]);
    expect(await idsOf({ limit: 1 })).to.deep.equal([second.batch_id]);
    await send(service.api, 'cancelBatch', { token: owner.token, params: { id: first.batch_id } });
    await ended(first.batch_id);
    expect(await idsOf({ status: 'canceled' })).to.deep.equal([first.batch_id]);
  });

  it('that are invalid get a 422 with the field, and nothing is stored', async () => {
    const stranger = await createUser();
    const foreign = (await createAssistant(stranger.user.default_workspace_id)).id;
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
    expect(await BatchModel.query().where({ workspace_id: owner.assistant.workspace_id })).to.deep.equal([]);
  });
});
