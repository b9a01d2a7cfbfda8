import type { FieldValue } from '../../../contract/fields/result-fields.ts';
import { exportSessions } from '../../../contract/sessions/session-filter.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { field } from '../../activities/fields/fields.ts';
import { errorAt } from '../../../contract/errors/field-errors.ts';
import { send } from '../../support/api.ts';
import { ANSWERS, CONDITION_CASES, CONDITION_FIELDS, NO_VALUES } from '../../support/condition-cases.ts';
import { createAnswered, createDelivery, createOwner, createSession, createUser } from '../../support/factories.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { useTestApi } from '../../support/set-up.ts';

describe('GET /v1/sessions by fields', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: CONDITION_FIELDS }));
  });

  const ask = (conditions: string[], more: Record<string, string | number> = {}, by = token) =>
    send(api, 'listSessions', { token: by, query: { assistant_id: assistant.id, field: conditions, ...more } });

  const list = async (conditions: string[], more = {}) =>
    (await ask(conditions, more)).body.data.map(({ session_id }) => session_id);

  const answer = async (values: Record<string, FieldValue>, options = {}, of = assistant) =>
    (await createAnswered(of, { ...NO_VALUES, ...values }, options)).id;

  it('finds the sessions whose values meet all conditions', async () => {
    const ids: Record<string, string> = {};
    for (const [name, { values, ...options }] of Object.entries(ANSWERS)) ids[name] = await answer(values, options);
    for (const [conditions, met] of CONDITION_CASES) {
      expect(await list(conditions), conditions.join()).to.have.members(met.map((name) => ids[name]));
    }
  });

  it('combines conditions with all other filters, each session once over the pages', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      ids.push(
        await answer({ score: 9, reason: 'billing', products: ['lamp', 'chair'] }, { metadata: { team: 'north' } }),
      );
      await answer({ score: 9, reason: 'other', products: ['lamp'] });
      await answer({ score: 2, reason: 'billing', products: ['lamp'] });
    }
    for (const id of ids) {
      const session = await SessionModel.query().findById(id).throwIfNotFound();
      await (await createDelivery(session)).$query().patch({ status: 'delivered' });
    }
    const conditions = ['reason:eq:billing', 'score:gte:8', 'products:eq:lamp', 'products:eq:chair'];
    const more = {
      status: 'completed',
      delivery_status: 'delivered',
      'metadata.team': 'north',
      assistant_version: 1,
      created_after: '2026-01-01T00:00:00Z',
      min_cost: 0,
      q: 'parcel',
    };
    for (const filters of [{}, more]) {
      const seen = await idsOverPages(
        async (cursor) => (await ask(conditions, { ...filters, limit: 2, ...cursor })).body,
      );
      expect(seen).to.deep.equal(ids.toReversed());
    }
    expect(await list(conditions, { assistant_version: 2 })).to.deep.equal([]);
  });

  it('uses the current and former fields of the assistant, also after its deletion, by name and type', async () => {
    const old = await answer({ score: 9 });
    await assistant.$query().patch({ fields: [field('score', 'string'), field('mood', 'string')] });
    expect(await list(['score:eq:9'])).to.deep.equal([]);
    expect(await list(['mood:null'])).to.deep.equal([]);
    const renewed = await createAnswered(await assistant.$query(), { score: '9', mood: null });
    expect(await list(['score:eq:9'])).to.deep.equal([renewed.id]);
    expect(await list(['reason:null'])).to.deep.equal([old]);
    await assistant.$query().delete();
    expect(await list(['score:eq:9'])).to.deep.equal([renewed.id]);
  });

  it('counts the values of a field and of the metadata among the sessions that the other conditions find', async () => {
    const answers: [agent: string, team: string, values: Record<string, FieldValue>][] = [
      ['Dana', 'north', { resolved: true, score: 8, products: ['lamp', 'chair'] }],
      ['Dana', 'north', { resolved: true, score: 7.5, products: ['lamp'] }],
      ['Dana', 'south', { resolved: false, reason: 'billing' }],
      ['Ann', 'north', { resolved: false, score: 8 }],
    ];
    for (const [agent, team, values] of answers) {
      await createAnswered(assistant, { ...NO_VALUES, ...values }, { metadata: { agent, team } });
    }
    await createSession(assistant);
    const groupsOf = async (group_by: string, query: Record<string, string | string[]> = {}, by = token) => {
      const { body } = await send(api, 'countSessions', { token: by, query: { group_by, ...query } });
      return body.groups?.map(({ value, count }) => `${count} ${value}`);
    };
    const [assistant_id, dana] = [assistant.id, { 'metadata.agent': 'Dana' }];
    expect(await groupsOf('metadata')).to.deep.equal(['4 agent', '4 team']);
    expect(await groupsOf('metadata.agent')).to.deep.equal(['3 Dana', '1 Ann', '1 null']);
    expect(await groupsOf('metadata.team', dana)).to.deep.equal(['2 north', '1 south']);
    expect(await groupsOf('field.resolved', { assistant_id })).to.deep.equal(['2 false', '2 true']);
    expect(await groupsOf('field.score', { assistant_id, ...dana })).to.deep.equal(['1 7.5', '1 8', '1 null']);
    expect(await groupsOf('field.products', { assistant_id, field: ['score:gte:1'] })).to.deep.equal([
      '2 lamp',
      '1 chair',
      '1 null',
    ]);
    for (const value of ['true', 'false']) expect(await list([`resolved:eq:${value}`])).to.have.length(2);
    expect(await groupsOf('metadata.agent', {}, (await createUser()).token)).to.deep.equal([]);
    for (const query of [{ group_by: 'field.mood', assistant_id }, { group_by: 'field.score' }, { group_by: 'agent' }])
      expect((await send(api, 'countSessions', { token, query })).paths, query.group_by).to.deep.equal(['group_by']);
  });

  const exported = async (query: Record<string, string>) => {
    const url = `${api.url}/api${exportSessions.path}?${new URLSearchParams(query).toString()}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    return { status: response.status, lines: (await response.text()).trimEnd().split('\r\n') };
  };

  it('shows the values of each session with include=fields', async () => {
    await answer({ score: 9, products: ['lamp'] }, { unverified: ['score'] });
    await createSession(assistant);
    const { data } = (await ask([], { include: 'fields' })).body;
    expect(data.map(({ fields, unverified_fields }) => ({ fields, unverified_fields }))).to.deep.equal([
      { fields: null, unverified_fields: null },
      { fields: { ...NO_VALUES, score: 9, products: ['lamp'] }, unverified_fields: ['score'] },
    ]);
    expect((await ask([])).body.data[0]).not.to.have.property('fields');
  });

  it('exports the values as columns, without formulas that a spreadsheet runs', async () => {
    await assistant.$query().patch({ fields: [...CONDITION_FIELDS, field('constructor', 'string')] });
    await answer({ resolved: false, score: -3, order_id: '=1+1', products: ['@lamp', 'a "b"'] });
    const { lines } = await exported({ include: 'fields', assistant_id: assistant.id });
    const names = ['resolved', 'score', 'amount', 'reason', 'order_id', 'products', 'constructor'];
    expect(lines[0]?.endsWith(`,${names.map((name) => `fields.${name}`).join(',')}`)).to.equal(true);
    expect(lines[1]?.endsWith(`,false,-3,,,'=1+1,"'@lamp\na ""b""",`), lines[1]).to.equal(true);
    expect(await exported({ include: 'fields' })).to.include({ status: 422 });
  });

  it("never finds another user's sessions, and does not reveal their fields", async () => {
    await answer({ score: 9 });
    const stranger = await createUser();
    const { problem } = await ask(['score:eq:9'], {}, stranger.token);
    expect(problem.errors).to.deep.equal([
      errorAt('field.0', 'not_field:assistant', { field: 'score', fields: 'none' }),
    ]);
  });

  it('deletes the values with their session', async () => {
    const id = await answer({ score: 9, products: ['lamp', 'chair'] });
    const kept = await answer({ score: 9 });
    await SessionModel.query().deleteById(id);
    const rows = await SessionModel.knex()('session_fields').whereIn('session_id', [id, kept]).select('session_id');
    const left = (rows as { session_id: string }[]).map(({ session_id }) => session_id);
    expect(new Set(left)).to.deep.equal(new Set([kept]));
  });

  const INVALID = [
    ['a field that there is not', ['score:eq:1', 'mood:eq:good'], 'field.1'],
    ['an operator that there is not', ['score:like:1'], 'field.0'],
    ['a value where none belongs', ['score:null:1'], 'field.0'],
    ['no value where one belongs', ['score:eq'], 'field.0'],
    ['an order of texts', ['reason:gt:billing'], 'field.0'],
    ['a number that is none', ['score:eq:many'], 'field.0'],
    ['a truth that is none', ['resolved:eq:yes'], 'field.0'],
    ['too long a value', [`order_id:eq:${'x'.repeat(201)}`], 'field.0'],
    ['a value with NUL', ['order_id:eq:a\0'], 'field.0'],
    ['too many conditions', Array.from({ length: 11 }, () => 'score:eq:1'), 'field'],
  ] as const;

  it('refuses invalid conditions with a 422 at the condition', async () => {
    for (const [what, conditions, path] of INVALID) {
      const answered = await ask([...conditions]);
      expect([answered.status, ...answered.paths], what).to.deep.equal([422, path]);
    }
  });

  it('refuses conditions and versions without assistant_id', async () => {
    await createSession(assistant);
    for (const [query, path] of [
      [{ field: ['score:eq:1'] }, 'field'],
      [{ assistant_version: 1 }, 'assistant_version'],
    ] as const) {
      const { problem } = await send(api, 'listSessions', { token, query });
      expect(problem.errors).to.deep.equal([errorAt(path, 'required:requires', { other: '`assistant_id`' })]);
    }
  });
});
