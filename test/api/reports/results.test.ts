import type { FieldValue, ResultField } from '../../../contract/fields/result-fields.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { send } from '../../support/api.ts';
import { createAnswered, createAssistant, createOwner, sessionIdAt } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

const DAY_MS = 86_400_000;

const FIELDS: ResultField[] = [
  { name: 'resolved', type: 'boolean', description: 'Was it?', evidence: true },
  { name: 'score', type: 'integer', description: 'How many?', evidence: true },
  { name: 'amount', type: 'number', description: 'How much?', evidence: true },
  { name: 'reason', type: 'enum', description: 'Why?', options: ['billing', 'other'], evidence: true },
  { name: 'products', type: 'string_list', description: 'Which?', evidence: false },
];

describe('GET /v1/assistants/{id}/results', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: FIELDS }));
  });

  const ask = (query: Record<string, string | number | string[]> = {}) =>
    send(api, 'getAssistantResults', { token, params: { id: assistant.id }, query });

  const results = async (query = {}) => {
    const { body } = await ask(query);
    return { ...body, of: (name: string) => body.fields.find((each) => each.name === name)! };
  };

  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);

  interface Options {
    days?: number;
    unverified?: string[];
    assistant_version?: number | null;
    source_session_id?: string;
    trial?: boolean;
  }

  const answer = (values: Record<string, FieldValue | null>, { days = 0, ...options }: Options = {}) => {
    const none = { resolved: null, score: null, amount: null, reason: null, products: null };
    const created_at = daysAgo(days);
    return createAnswered(assistant, { ...none, ...values }, { id: sessionIdAt(created_at), created_at, ...options });
  };

  it('counts values, nulls and values without a verified quote', async () => {
    await answer({ resolved: true, reason: 'billing', products: ['lamp', 'chair'] });
    await answer({ resolved: true, reason: 'other', products: ['lamp'] }, { unverified: ['resolved'] });
    await answer({ resolved: false, reason: 'billing' });
    await answer({});
    const { sessions, of } = await results();
    expect(sessions).to.equal(4);
    expect(of('resolved')).to.deep.include({ count: 4, null_count: 1, unverified_count: 1, numbers: null, mean: null });
    expect(of('resolved')).to.deep.include({ values: [true, false], value_counts: [2, 1], other_count: 0 });
    expect(of('reason')).to.deep.include({ values: ['billing', 'other'], value_counts: [2, 1], null_count: 1 });
    expect(of('products')).to.deep.include({
      count: 4,
      null_count: 2,
      values: ['lamp', 'chair'],
      value_counts: [2, 1],
    });
  });

  it("counts days of the request's time zone", async () => {
    const created_at = new Date('2026-03-10T20:00:00Z');
    const none = { resolved: true, score: null, amount: null, reason: null, products: null };
    await createAnswered(assistant, none, { id: sessionIdAt(created_at), created_at });
    const daysIn = async (timezone: string, day: string) =>
      (await results({ from: day, to: day, timezone })).of('resolved').by_day.map((each) => each.day);
    expect(await daysIn('UTC', '2026-03-10')).to.deep.equal(['2026-03-10']);
    expect(await daysIn('Asia/Tashkent', '2026-03-10')).to.deep.equal([]);
    expect(await daysIn('Asia/Tashkent', '2026-03-11')).to.deep.equal(['2026-03-11']);
    expect((await ask({ timezone: 'Mars/Base' })).paths).to.deep.equal(['timezone']);
  });

  it('returns mean, quartiles and a histogram with round limits', async () => {
    for (const [score, amount] of [
      [1, 0.05],
      [2, 0.1],
      [2, 0.15],
      [10, 19.99],
      [10, -3],
    ] as const)
      await answer({ score, amount });
    await answer({});
    const { of } = await results();
    const { mean, numbers, count, null_count, values } = of('score');
    expect({ mean, count, null_count, values }).to.deep.equal({ mean: 5, count: 6, null_count: 1, values: [] });
    expect(numbers).to.deep.include({ min: 1, max: 10, quartiles: [2, 2, 10] });
    expect(numbers?.histogram).to.deep.equal([
      { from: 1, to: 2, count: 1 },
      { from: 2, to: 3, count: 2 },
      { from: 10, to: 11, count: 2 },
    ]);
    expect(of('amount').numbers?.histogram).to.deep.equal([
      { from: -4, to: -2, count: 1 },
      { from: 0, to: 2, count: 3 },
      { from: 18, to: 20, count: 1 },
    ]);
  });

  it('handles a single value, very large and very small ones', async () => {
    for (const amount of [0, 5e-324, 1e150, -1e150]) {
      assistant = await createAssistant(assistant.workspace_id, { fields: FIELDS });
      await answer({ amount });
      const { histogram = [], min } = (await results()).of('amount').numbers ?? {};
      expect(min).to.equal(amount);
      expect(histogram.map(({ count }) => count)).to.deep.equal([1]);
    }
    await answer({ amount: 1e150, score: 2 ** 53 - 1 });
    await answer({ amount: 0, score: -(2 ** 53 - 1) });
    const { of } = await results();
    for (const name of ['amount', 'score']) {
      const parts = of(name).numbers!.histogram;
      expect(parts.length).to.be.at.most(21);
      expect(parts.reduce((sum, { count }) => sum + count, 0)).to.equal(name === 'amount' ? 3 : 2);
    }
  });

  it('counts by day in UTC and by version, without reanalyses and trials', async () => {
    await answer({ reason: 'other', score: 2 }, { days: 3 });
    await answer({ reason: 'billing', score: 4 }, { days: 3 });
    await answer({ reason: 'billing', score: 9 }, { assistant_version: 2 });
    await answer({ reason: null });
    await answer({ reason: 'tried' }, { trial: true });
    await answer({ reason: 'again' }, { source_session_id: sessionIdAt(daysAgo(3)) });
    const { of, sessions } = await results();
    expect(sessions).to.equal(4);
    const reason = of('reason');
    expect(reason.values).to.deep.equal(['billing', 'other']);
    const days = reason.by_day.map(({ day, count, value_counts }) => [day, count, ...value_counts].join(' '));
    expect(days).to.deep.equal([`${dayOf(daysAgo(3))} 2 1 1`, `${dayOf(daysAgo(0))} 2 1 0`]);
    const versions = reason.by_version.map((each) => [each.version, each.count, each.null_count, ...each.value_counts]);
    expect(versions.map((counts) => counts.join(' '))).to.deep.equal(['1 3 1 1 1', '2 1 0 1 0']);
    expect(of('score').by_version.map(({ mean }) => mean)).to.deep.equal([3, 9]);
  });

  it('filters by days, version and conditions', async () => {
    await answer({ score: 1, reason: 'billing' }, { days: 40 });
    await answer({ score: 2, reason: 'billing' }, { days: 3 });
    await answer({ score: 3, reason: 'other', products: ['lamp'] }, { assistant_version: 2 });
    const score = async (query: object) => {
      const { of, sessions } = await results(query);
      return [sessions, of('score').mean];
    };
    expect(await score({})).to.deep.equal([2, 2.5]);
    expect(await score({ from: dayOf(daysAgo(40)), to: dayOf(daysAgo(3)) })).to.deep.equal([2, 1.5]);
    expect(await score({ from: dayOf(daysAgo(41)), version: 1 })).to.deep.equal([2, 1.5]);
    expect(await score({ field: ['reason:eq:other'] })).to.deep.equal([1, 3]);
    expect(await score({ field: ['products:eq:lamp', 'score:lt:3'] })).to.deep.equal([0, null]);
  });

  it('returns the most frequent values, and the number of others', async () => {
    const products = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `p${from + index}`);
    await answer({ products: products(0, 15) });
    await answer({ products: products(10, 30) });
    const { values, value_counts, other_count } = (await results()).of('products');
    expect(values.slice(0, 5)).to.have.members(['p10', 'p11', 'p12', 'p13', 'p14']);
    expect(value_counts.slice(0, 6)).to.deep.equal([2, 2, 2, 2, 2, 1]);
    expect([values.length, other_count]).to.deep.equal([20, 10]);
  });

  it('shows current fields in order, also unanswered ones, then former fields', async () => {
    await answer({ score: 3 });
    const [, score] = FIELDS;
    await assistant.$query().patch({ fields: [{ ...FIELDS[0]!, name: 'new_one', title: 'Новое' }, score!] });
    const { fields } = await results();
    expect(fields.slice(0, 2).map(({ name, count }) => `${name} ${count}`)).to.deep.equal(['new_one 0', 'score 1']);
    expect(fields.map(({ title }) => title)).to.deep.equal(['Новое', ...fields.slice(1).map(() => undefined)]);
    const names = fields.map(({ name }) => name);
    expect(names).to.have.members(['new_one', 'score', 'resolved', 'amount', 'reason', 'products']);
    const empty = await createAssistant(assistant.workspace_id);
    const { body } = await send(api, 'getAssistantResults', { token, params: { id: empty.id } });
    expect(body).to.deep.include({ sessions: 0, fields: [] });
    await AssistantModel.query().patch({ fields: null }).where({ id: assistant.id });
    expect((await results()).of('score').count).to.equal(1);
  });

  it('refuses invalid periods and conditions', async () => {
    const cases: [Record<string, string | number | string[]>, string][] = [
      [{ from: '2026-02-02', to: '2026-02-01' }, 'from'],
      [{ from: '2025-01-01', to: '2026-02-01' }, 'from'],
      [{ version: 0 }, 'version'],
      [{ field: ['mood:null'] }, 'field.0'],
    ];
    for (const [query, path] of cases) {
      const refused = await ask(query);
      expect([refused.status, ...refused.paths]).to.deep.equal([422, path]);
    }
  });
});
