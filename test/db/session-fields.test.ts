import type { Knex } from 'knex';
import type { ResultField } from '../../contract/fields/result-fields.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { createAnswered, createOwner } from '../support/factories.ts';
import { testDatabase } from '../support/database.ts';

const FIELDS: ResultField[] = [
  { name: 'score', type: 'integer', description: 'How many?', evidence: true },
  { name: 'products', type: 'string_list', description: 'Which?', evidence: false },
];

describe('The rows of field values', () => {
  const db = (): Knex => testDatabase().db;
  const rowsOf = ({ id }: SessionModel) =>
    db()('session_fields')
      .join('assistant_fields', 'assistant_fields.id', 'field_id')
      .where({ session_id: id })
      .orderBy(['name', 'item'])
      .select('name', 'item', 'version', 'state', 'value_num', 'value_text', db().raw('day::text'));

  const answered = async (fields = FIELDS) => {
    const assistant = (await createOwner({ fields })).assistant;
    const created_at = new Date('2026-11-20T23:59:59.999Z');
    const values = { score: 7, products: ['chair', 'lamp', 'chair'] };
    return createAnswered(assistant, values, { created_at });
  };

  const ROW = { version: 1, day: '2026-11-20', value_num: null, value_text: null };
  const EXPECTED = [
    { ...ROW, name: 'products', item: 0, state: 0, value_text: 'chair' },
    { ...ROW, name: 'products', item: 1, state: 0, value_text: 'lamp' },
    { ...ROW, name: 'score', item: 0, state: 0, value_num: 7 },
  ];

  it('are stored with the result, with a day in UTC and without repeated list items', async () => {
    expect(await rowsOf(await answered())).to.deep.equal(EXPECTED);
  });

  it('are written by sessions that end concurrently with new fields in different orders', async () => {
    const assistant = (await createOwner({ fields: FIELDS })).assistant;
    const orders = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? FIELDS : FIELDS.toReversed()));
    const sessions = await Promise.all(
      orders.map((fields) =>
        createAnswered(assistant, { score: 1, products: null }, { assistant: { ...assistant.freeze(), fields } }),
      ),
    );
    for (const session of sessions) expect(await rowsOf(session)).to.have.length(2);
  });
});
