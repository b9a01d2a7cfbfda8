import { DELIVERY_STATUSES, SESSION_STATUSES, type SessionErrorCode } from '../../../contract/values/constants.ts';
import { countDeliveries } from '../../../contract/sessions/deliveries.ts';
import { countSessions } from '../../../contract/sessions/session-filter.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import {
  createAssistant,
  createDelivery,
  createOwner,
  createSession,
  createUser,
  sessionIdAt,
} from '../../support/factories.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { useTestApi } from '../../support/set-up.ts';

const DAY_MS = 24 * 3_600_000;

describe('GET /v1/sessions with filters', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner());
  });

  type Query = Record<string, string | number>;

  const ask = (query: Query, by = token) => send(api, 'listSessions', { token: by, query });

  /** Returns the IDs of the listed sessions. */
  const list = async (query: Query, by = token) => (await ask(query, by)).body.data.map((item) => item.session_id);

  const add = async (fields: Partial<SessionModel> = {}, of = assistant) => (await createSession(of, fields)).id;

  /** Creates an ended session with this conversation. */
  const say = (text: string, fields: Partial<SessionModel> = {}, of = assistant) =>
    add({ status: 'completed', conversation: [{ role: 'client', text }], ...fields }, of);

  /** Creates a session as if it had been created `days` ago. */
  function addAgo(days: number, fields: Partial<SessionModel> = {}): Promise<string> {
    const created_at = new Date(Date.now() - days * DAY_MS);
    return add({ id: sessionIdAt(created_at), created_at, ...fields });
  }

  it('filters by status, type and trial', async () => {
    const ids: Record<string, string> = {};
    for (const status of SESSION_STATUSES) ids[status] = await add({ status });
    for (const status of SESSION_STATUSES) expect(await list({ status })).to.deep.equal([ids[status]]);
    const [voice, trial] = [await add({ type: 'voice' }), await add({ trial: true })];
    expect(await list({ type: 'voice' })).to.deep.equal([voice]);
    expect(await list({ type: 'text', trial: 'true' })).to.deep.equal([trial]);
    expect(await list({ trial: 'false' })).to.deep.equal([voice, ...Object.values(ids).toReversed()]);
    expect(await list({})).to.have.length(Object.keys(ids).length + 2);
  });

  it('filters by error code: only sessions that failed with it', async () => {
    const failWith = (code: SessionErrorCode, fields: Partial<SessionModel> = {}) => {
      const error = { code, stage: 'analysis', provider: 'openai', message: '', retryable: false } as const;
      return add({ status: 'failed', error, ...fields });
    };
    const auth = await failWith('auth');
    const refused = await failWith('refused', { trial: true });
    await failWith('auth', { status: 'queued' });
    await add();
    expect(await list({ error_code: 'auth' })).to.deep.equal([auth]);
    expect(await list({ error_code: 'refused', trial: 'true' })).to.deep.equal([refused]);
    expect(await list({ error_code: 'auth', status: 'completed' })).to.deep.equal([]);
    expect((await send(api, 'countSessions', { token, query: { error_code: 'auth' } })).body.total).to.equal(1);
    expect((await ask({ error_code: 'bad' })).paths).to.deep.equal(['error_code']);
  });

  it("filters by IDs, and never finds another user's objects", async () => {
    const [one, , three] = [await add(), await add(), await add({ status: 'failed' })];
    const both = { session_id: [one, three] };
    const idsOf = async (query: object, by = token) =>
      (await send(api, 'listSessions', { token: by, query: { ...query } })).body.data.map((item) => item.session_id);
    expect(await idsOf(both)).to.deep.equal([three, one]);
    expect(await idsOf({ ...both, status: 'failed' })).to.deep.equal([three]);
    expect(await idsOf({ session_id: one })).to.deep.equal([one]);
    expect(await idsOf(both, (await createUser()).token)).to.deep.equal([]);
    expect((await ask({ session_id: 'x' })).paths).to.deep.equal(['session_id.0']);
  });

  it('filters by reanalysis; trials are reanalyses', async () => {
    const original = await add();
    const reanalysis = await add({ source_session_id: original });
    const trial = await add({ source_session_id: original, trial: true });
    expect(await list({ reanalysis: 'true' })).to.deep.equal([trial, reanalysis]);
    expect(await list({ reanalysis: 'false' })).to.deep.equal([original]);
    expect(await list({})).to.deep.equal([trial, reanalysis, original]);
  });

  it('counts by the same filters, only in the own workspace', async () => {
    const stranger = await createUser();
    const session = await createSession(assistant, { status: 'failed', conversation: [{ role: 'a', text: 'zebra' }] });
    await createDelivery(session);
    await say('zebra');
    await say('lion');
    const count = async (endpoint: typeof countSessions | typeof countDeliveries, query: Query, by = token) =>
      (await send(api, endpoint, { token: by, query })).body;
    for (const [query, total] of [
      [{}, 3],
      [{ status: 'failed' }, 1],
      [{ q: 'zebra' }, 2],
      [{ q: 'zebra', status: 'completed' }, 1],
      [{ delivery_status: 'pending' }, 1],
    ] as const) {
      expect(await count(countSessions, query), JSON.stringify(query)).to.deep.equal({ total, has_more: false });
      expect((await count(countSessions, query, stranger.token)).total).to.equal(0);
    }
    expect((await count(countDeliveries, {})).total).to.equal(1);
    expect((await count(countDeliveries, { status: 'failed' })).total).to.equal(0);
    expect((await count(countDeliveries, {}, stranger.token)).total).to.equal(0);
  });

  it('filters by assistant, also a deleted one', async () => {
    const other = await createAssistant(assistant.workspace_id);
    const id = await add({}, other);
    await add();
    await other.$query().delete();
    expect(await list({ assistant_id: other.id })).to.deep.equal([id]);
  });

  it('filters by time: created_after is inclusive, created_before exclusive', async () => {
    const ids = [await addAgo(400), await addAgo(40), await addAgo(4), await addAgo(0)];
    const [, second, third] = await SessionModel.query().findByIds(ids).orderBy('id');
    const [created_after, created_before] = [second!, third!].map((row) => row.created_at.toISOString()) as [
      string,
      string,
    ];
    expect(await list({ created_after })).to.deep.equal(ids.slice(1).toReversed());
    expect(await list({ created_before })).to.deep.equal(ids.slice(0, 2).toReversed());
    expect(await list({ created_after, created_before })).to.deep.equal([ids[1]]);
    const zoned = created_after.replace('Z', '+00:00');
    expect(await list({ created_after: zoned, created_before })).to.deep.equal([ids[1]]);
    expect(await list({ created_after: created_before, created_before: created_after })).to.deep.equal([]);
  });

  it('filters by end: completed_after is inclusive, completed_before exclusive; unfinished sessions have no end', async () => {
    const minutes = (count: number) => new Date(Date.now() - count * 60_000);
    const endedAt = (time: Date, created_at = time) => add({ status: 'completed', completed_at: time, created_at });
    const [late, early] = [minutes(1), minutes(3)];
    // Submitted first, ended last.
    const slow = await endedAt(late, minutes(2_000));
    const quick = await endedAt(early);
    await add({ status: 'queued' });
    const [completed_after, completed_before] = [early.toISOString(), late.toISOString()];
    expect(await list({ completed_after })).to.deep.equal([quick, slow]);
    expect(await list({ completed_after: completed_before })).to.deep.equal([slow]);
    expect(await list({ completed_before })).to.deep.equal([quick]);
    expect(await list({ completed_after, completed_before, sort: 'completed_at' })).to.deep.equal([quick]);
    expect(await list({ completed_after, created_after: minutes(60).toISOString() })).to.deep.equal([quick]);
  });

  it("uses the session's time instead of the time in its ID, and accepts extreme times", async () => {
    const id = await addAgo(0.04, { created_at: new Date() });
    const created_after = new Date(Date.now() - 60_000).toISOString();
    expect(await list({ created_after })).to.deep.equal([id]);
    const span = { created_after: '0000-01-01T00:00:00Z', created_before: '9999-12-31T23:59:59.999Z' };
    expect(await list(span)).to.deep.equal([id]);
  });

  it('filters by the status of the latest delivery', async () => {
    const ids: Record<string, string> = {};
    for (const status of DELIVERY_STATUSES) {
      const session = await createSession(assistant);
      const replaced = await createDelivery(session);
      await replaced.$query().patch({ status: 'failed' });
      const latest = await createDelivery(session);
      await latest.$query().patch({ status });
      ids[status] = session.id;
    }
    await add();
    for (const delivery_status of DELIVERY_STATUSES)
      expect(await list({ delivery_status })).to.deep.equal([ids[delivery_status]]);
  });

  it('filters by metadata: every given pair must match', async () => {
    const stranger = await createAssistant((await createUser()).user.default_workspace_id);
    const one = await add({ metadata: { call_id: 'c-1', 'a b': '' } });
    const both = await add({ metadata: { call_id: 'c-1', channel: 'phone' } });
    await add({ metadata: { call_id: 'c-12', channel: 'phone' } });
    await add({ metadata: { call_id: 'c-1' } }, stranger);
    expect(await list({ 'metadata.call_id': 'c-1' })).to.deep.equal([both, one]);
    expect(await list({ 'metadata.call_id': 'c-1', 'metadata.channel': 'phone' })).to.deep.equal([both]);
    expect(await list({ 'metadata.a b': '' })).to.deep.equal([one]);
    for (const name of ['metadata.call', 'metadata.CALL_ID', 'metadata.x.y'])
      expect(await list({ [name]: 'c-1' }), name).to.deep.equal([]);
  });

  it('filters by cost, including repeated and late calls', async () => {
    const costing = async (...costs: (number | null)[]) => {
      const session = await createSession(assistant);
      for (const [index, cost_usd] of costs.entries()) {
        const key = { session_id: session.id, step: 'analysis', attempt: index + 1 } as const;
        const owner = { workspace_id: assistant.workspace_id, assistant_id: assistant.id };
        await ProviderCallModel.query().insert({ ...key, ...owner, provider: 'openai', status: 'running' });
        await ProviderCallModel.close(key, { status: 'succeeded', cost_usd });
      }
      await session.$query().patch({ status: 'completed', completed_at: new Date() });
      return session.id;
    };
    await costing(0.01);
    await costing(null);
    const twice = await costing(0.03, 0.02);
    const late = await costing(0);
    expect(await list({ min_cost: 0.05 })).to.deep.equal([twice]);
    await ProviderCallModel.close(
      { session_id: late, step: 'analysis', attempt: 1 },
      { status: 'succeeded', cost_usd: 2 },
    );
    expect(await list({ min_cost: '5e-2' })).to.deep.equal([late, twice]);
    expect(await list({ min_cost: 0.05, limit: 1 })).to.deep.equal([late]);
    expect(await list({ min_cost: 0 })).to.have.lengthOf(4);
  });

  it('sorts by submission, end, cost and length, with each ended session once over the pages', async () => {
    const ended = { status: 'completed', completed_at: new Date(Date.now() - 1_000) } as const;
    const turns = (count: number) => Array.from({ length: count }, () => ({ role: 'client', text: 'zebra' }));
    const cheap = await add({ ...ended, ...{ total_cost: 0.01 }, conversation: turns(3) });
    const dear = await add({ ...ended, completed_at: new Date(), ...{ total_cost: 2 }, conversation: turns(1) });
    const equal = await add({ ...ended, ...{ total_cost: 0.01 }, conversation: turns(2) });
    const silent = await add({ ...ended, ...{ total_cost: 0 }, conversation: null });
    const running = await add({ status: 'queued', ...{ total_cost: 1 } });
    const orders = {
      created_at: [cheap, dear, equal, silent, running],
      completed_at: [cheap, equal, silent, dear],
      total_cost: [silent, cheap, equal, dear],
      length: [silent, dear, equal, cheap],
    };
    for (const [sort, expected] of Object.entries(orders)) {
      const over = (query: Query) =>
        idsOverPages(async (cursor) => (await ask({ ...query, limit: 1, ...cursor })).body);
      expect(await over({ sort }), sort).to.deep.equal(expected);
      expect(await over({ sort: `-${sort}` }), `-${sort}`).to.deep.equal(expected.toReversed());
      const found = expected.filter((id) => ![silent, running].includes(id));
      expect(await over({ sort, q: 'zebra', status: 'completed' }), `${sort} by words`).to.deep.equal(found);
    }
    const { next_cursor } = (await ask({ sort: '-total_cost', limit: 1 })).body;
    await SessionModel.query().deleteById(dear);
    const next = (cursor: string | null, query: Query = {}) => ask({ ...query, cursor: cursor ?? '' });
    expect((await next(next_cursor, { sort: '-total_cost' })).body.data[0]?.session_id).to.equal(equal);
    for (const answer of [await next(next_cursor), await next(cheap, { sort: '-total_cost' })])
      expect([answer.status, answer.paths]).to.deep.equal([422, ['cursor']]);
  });

  it("never lists another user's sessions", async () => {
    const stranger = await createUser();
    const session = await createSession(assistant, { status: 'failed', summary_text: 'zebra' });
    await createDelivery(session);
    const { id, workspace_id } = assistant;
    for (const query of [
      ...[{ status: 'failed' }, { type: 'text' }, { assistant_id: id }, { created_after: '2000-01-01T00:00:00Z' }],
      ...[{ delivery_status: 'pending' }, { q: 'zebra' }, { q: '-nothing' }, { q: workspace_id }],
      { q: `zebra or ${workspace_id}` },
    ] as Query[]) {
      expect(await list(query, stranger.token), JSON.stringify(query)).to.deep.equal([]);
    }
  });

  it('answers 422 and names every invalid filter', async () => {
    const query = {
      status: 'done',
      type: 'video',
      assistant_id: 'asst_1',
      created_after: 'yesterday',
      created_before: '2026-02-30T00:00:00Z',
      delivery_status: 'sent',
      'metadata.': 'x',
      'metadata.long': 'x'.repeat(501),
      min_cost: '-1',
    };
    const { problem } = await ask(query);
    expect(problem.errors?.map(({ path }) => path)).to.have.members(Object.keys(query));
  });
});
