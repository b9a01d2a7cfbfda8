import { fieldRowsOf, groupConditions, meetFilters } from '../../../contract/fields/field-rows.ts';
import type { FieldValue } from '../../../contract/fields/result-fields.ts';
import type { SessionListItem } from '../../../contract/sessions/sessions.ts';
import { API_BASE } from '../../../contract/values/constants.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import type { SessionModel } from '../../../db/models/session.ts';
import { send } from '../../support/api.ts';
import { CONDITION_FIELDS, NO_VALUES } from '../../support/condition-cases.ts';
import { createAnswered, createOwner } from '../../support/factories.ts';
import { randomNumbers } from '../../support/random-numbers.ts';
import { idsOverPages } from '../../support/sessions.ts';
import { useTestApi } from '../../support/set-up.ts';

type Values = Record<string, FieldValue | null>;

describe('values=reviewed', () => {
  const api = useTestApi();
  let token: string;
  let assistant: AssistantModel;
  beforeEach(async () => {
    ({ token, assistant } = await createOwner({ fields: CONDITION_FIELDS }));
  });

  const review = ({ id }: SessionModel, answers: Values, unsure: string[] = []) =>
    send(api, 'putSessionReview', { token, params: { id }, body: { answers, unsure } });
  const REVIEWED = { values: 'reviewed' } as const;
  const queryOf = (field: string[]) => ({ assistant_id: assistant.id, ...(field.length > 0 && { field }) });
  const list = async (field: string[], more: object = REVIEWED) =>
    (await send(api, 'listSessions', { token, query: { ...queryOf(field), ...more } })).body.data;

  async function exportAll(query: string): Promise<SessionListItem[]> {
    const url = `${api.url}${API_BASE}/v1/exports/sessions?format=jsonl&include=fields&assistant_id=${assistant.id}${query}`;
    const text = await (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).text();
    return JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`) as SessionListItem[];
  }

  it('has the answer of the person where there is one, otherwise that of the model, and nothing else changes', async () => {
    const model = { ...NO_VALUES, resolved: true, score: 7, reason: 'billing', products: ['lamp'] };
    const session = await createAnswered(assistant, model, { unverified: ['score', 'reason'] });
    await review(session, { resolved: null, score: 3 }, ['reason']);
    const include = { include: 'fields' };
    const [decided] = await list([], { ...REVIEWED, ...include });
    const [plain] = await list([], include);
    const fields = { ...model, resolved: null, score: 3 };
    expect(plain).to.deep.include({ fields: model, unverified_fields: ['score', 'reason'] });
    expect(decided).to.deep.equal({ ...plain, fields, unverified_fields: ['reason'] });
    expect([(await list(['score:eq:7'])).length, (await list(['score:eq:7'], {})).length]).to.deep.equal([0, 1]);
    expect(await list(['score:unverified'])).to.deep.equal([]);
  });

  it('finds and counts by 20 random filters what a recount of the export finds', async () => {
    const next = randomNumbers(70);
    const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
    const DOMAIN = {
      resolved: [true, false, null],
      score: [1, 2, 3, 8, 9, null],
      amount: [0.5, 2, -1, null],
      reason: ['billing', 'delivery', 'other', null],
      order_id: ['A:1', 'B', null],
      products: [['lamp'], ['lamp', 'chair'], ['desk'], null],
    };
    const draw = (share: number) =>
      Object.fromEntries(
        Object.entries(DOMAIN).flatMap(([name, values]) =>
          next() < share ? [[name, pick<FieldValue | null>(values)]] : [],
        ),
      );
    for (let index = 0; index < 120; index++) {
      const session = await createAnswered(assistant, { ...NO_VALUES, ...draw(1) });
      if (next() < 0.6) await review(session, draw(0.5));
    }
    const exported = await exportAll('&values=reviewed');
    expect(exported).to.have.length(120);
    expect(exported).not.to.deep.equal(await exportAll(''));
    const rowsOf = ({ fields }: SessionListItem) => fieldRowsOf(CONDITION_FIELDS, { fields, evidence: {} });
    for (let index = 0; index < 20; index++) {
      const conditions = [1, 2].flatMap(() => {
        const name = pick(Object.keys(DOMAIN)) as keyof typeof DOMAIN;
        const value = [pick<FieldValue | null>(DOMAIN[name])].flat()[0] ?? null;
        if (value === null) return [`${name}:${pick(['null', 'not_null'])}`];
        const operators = typeof value === 'number' ? ['eq', 'ne', 'gt', 'lte'] : ['eq', 'ne'];
        return [`${name}:${pick(operators)}:${String(value)}`];
      });
      const filters = groupConditions(conditions, CONDITION_FIELDS);
      const expected = exported.filter((session) => meetFilters(rowsOf(session), filters));
      const ids = expected.map(({ session_id }) => session_id);
      const query = { ...queryOf(conditions), ...REVIEWED };
      const pages = await idsOverPages(
        async (cursor) => (await send(api, 'listSessions', { token, query: { ...query, limit: 50, ...cursor } })).body,
      );
      expect(pages, conditions.join()).to.deep.equal(ids);
      const grouped = { ...query, group_by: 'field.reason' };
      const { total, groups = [] } = (await send(api, 'countSessions', { token, query: grouped })).body;
      expect(total).to.equal(ids.length);
      const countOf = (reason: FieldValue | null) =>
        expected.filter(({ fields }) => fields?.['reason'] === reason).length;
      for (const { value, count } of groups) expect(count, String(value)).to.equal(countOf(value));
      const asked = { token, params: { id: assistant.id }, query: { ...REVIEWED, field: conditions } };
      const report = (await send(api, 'getAssistantResults', asked)).body;
      const { count, null_count, value_counts, values } = report.fields.find(({ name }) => name === 'reason')!;
      expect([count, null_count, value_counts]).to.deep.equal([ids.length, countOf(null), values.map(countOf)]);
    }
  });
});
