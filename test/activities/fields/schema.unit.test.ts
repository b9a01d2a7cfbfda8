import { checkValue, MAX_ITEM, MAX_ITEMS, MAX_STRING } from '../../../contract/fields/check-value.ts';
import { fieldRules } from '../../../activities/fields/fields-prompt.ts';
import { firstEncoding, hashFieldsSchema } from '../../../activities/fields/fields-schema.ts';
import { readFields } from '../../../activities/fields/read-fields.ts';
import { ANSWER_SCHEMA, answerSchema } from '../../../activities/providers/llm/answer-schema.ts';
import { FIELD_ENCODINGS } from '../../../contract/values/constants.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { field, PUBLISHED, TWENTY, VALUES } from './fields.ts';

const FIFTY = Array.from({ length: 50 }, (_, index) => ({ ...TWENTY[index % 20]!, name: `f${index}` }));

const valueOf = (declared: ResultField, answered: unknown) => {
  const checked = checkValue(declared, answered);
  return 'value' in checked ? checked.value : checked.problem.code;
};

describe('The response schema with fields', () => {
  it('and the instructions do not depend on titles and scores', () => {
    const asked = (fields: readonly ResultField[]) =>
      JSON.stringify([
        FIELD_ENCODINGS.map((encoding) => [
          answerSchema(fields, { encoding, roles: true }),
          fieldRules(fields, encoding),
        ]),
        hashFieldsSchema(fields),
        firstEncoding('gemini', fields),
      ]);
    expect(asked(FIFTY.map((each) => ({ ...each, title: 'x'.repeat(80) })))).to.equal(asked(FIFTY));
    const of = [{ field: 'resolved', points: { true: 1 } }];
    expect(asked([...FIFTY, field('quality', 'score', { of, pass: 80 })])).to.equal(asked(FIFTY));
  });

  for (const encoding of FIELD_ENCODINGS) {
    it(`has only keywords that the providers' strict modes accept: ${encoding}`, () => {
      const seen = new Set<string>();
      JSON.stringify(answerSchema(FIFTY, { encoding, roles: true }), (_key, value: unknown) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value) || !('type' in value)) return value;
        for (const keyword of Object.keys(value)) seen.add(keyword);
        const { type, properties, required, additionalProperties } = value as ReturnType<typeof answerSchema>;
        expect(type).to.be.a('string');
        if (type === 'object') {
          expect(required).to.deep.equal(Object.keys(properties ?? {}));
          expect(additionalProperties).to.equal(false);
        }
        return value;
      });
      const known = ['type', 'description', 'enum', 'items', 'properties', 'required', 'additionalProperties'];
      expect([...seen]).to.have.members(known);
    });
  }

  it('has evidence before values, and then the properties of a response without fields', () => {
    const { properties } = answerSchema(TWENTY, { encoding: 'strict', roles: false });
    expect(Object.keys(properties ?? {})).to.deep.equal([
      'evidence',
      'fields',
      ...Object.keys(ANSWER_SCHEMA.properties),
    ]);
    expect(Object.keys(properties?.['fields']?.properties ?? {})).to.deep.equal(TWENTY.map(({ name }) => name));
  });

  it('has no evidence if no field requires it', () => {
    const bare = TWENTY.map((each) => ({ ...each, evidence: false }));
    expect(answerSchema(bare, { encoding: 'strict', roles: false }).properties).not.to.have.property('evidence');
    expect(fieldRules(bare, 'strict').join()).not.to.contain('evidence');
    expect(fieldRules(TWENTY, 'strict').join()).to.contain('angry, constructor, channel');
  });

  it('uses rows if Gemini would refuse it, and is then the same for all fields', () => {
    const large = [field('a', 'enum', { options: ['x'.repeat(700), 'y'.repeat(700)] })];
    expect(firstEncoding('gemini', TWENTY)).to.equal('strict');
    expect(firstEncoding('gemini', large)).to.equal('rows');
    expect(firstEncoding('openai', large)).to.equal('strict');
    expect(answerSchema(large, { encoding: 'rows', roles: false })).to.deep.equal(
      answerSchema(TWENTY, { encoding: 'rows', roles: false }),
    );
    expect(fieldRules(large, 'rows').at(-1)).to.contain('"options":["xxx');
    expect(hashFieldsSchema(large)).not.to.equal(hashFieldsSchema(TWENTY));
  });
});

describe('The values of a response', () => {
  it('are the same with both encodings', () => {
    const rows = Object.entries(VALUES).flatMap(([name, values]) =>
      values.length === 0 ? [{ name, value: '' }] : values.map((value) => ({ name, value: String(value) })),
    );
    for (const [encoding, fields] of [
      ['strict', VALUES],
      ['rows', rows],
    ] as const) {
      expect(readFields(TWENTY, encoding, { fields })).to.deep.include({ values: PUBLISHED, problems: {} });
    }
  });

  const score = field('score', 'integer', { minimum: 1, maximum: 10 });
  const reason = field('reason', 'enum', { options: ['Billing', 'other'] });
  const uzbek = field('u', 'enum', { options: ['Toʻlov', 'Qaytarish — almashtirish'] });
  const signs = field('c', 'enum', { options: ['C', 'C++', '4+', '👍', '👎'] });
  const alike = field('a', 'enum', { options: ['a-b', 'a b'] });
  const list = field('list', 'string_list');
  for (const [declared, answered, expected] of [
    [score, [], null],
    [score, null, null],
    [score, [null], null],
    [score, 7, 7],
    [score, [7.0], 7],
    [score, [1, 2], 'too_many'],
    [score, [0], 'out_of_range'],
    [score, [11], 'out_of_range'],
    [score, [7.5], 'wrong_type'],
    [score, ['7'], 7],
    [score, '7', 7],
    [score, ['seven'], 'wrong_type'],
    [score, ['[7]'], 'wrong_type'],
    [score, [{}], 'wrong_type'],
    [score, undefined, 'missing'],
    [field('n', 'integer'), [2 ** 53], 'wrong_type'],
    [field('n', 'integer'), [2 ** 53 - 1], 2 ** 53 - 1],
    [field('n', 'number'), [-0.25], -0.25],
    [field('b', 'boolean'), [false], false],
    [field('b', 'boolean'), ['False'], false],
    [field('b', 'boolean'), ['0'], 'wrong_type'],
    [field('n', 'number'), ['7.5'], 7.5],
    [reason, [' billing '], 'Billing'],
    [reason, ['OTHER'], 'other'],
    [reason, ['unknown'], 'not_an_option'],
    ...["To'lov", 'to‘lov', 'TOʼLOV', 'Toʻlov.'].map((text) => [uzbek, [text], 'Toʻlov'] as const),
    [uzbek, ['Qaytarish - almashtirish'], 'Qaytarish — almashtirish'],
    [signs, ['c'], 'C'],
    [signs, ['c++'], 'C++'],
    [signs, ['4+'], '4+'],
    [signs, ['4'], 'not_an_option'],
    [signs, ['👎'], '👎'],
    [alike, ['a b'], 'a b'],
    [alike, ['A, b'], 'not_an_option'],
    [reason, [''], null],
    [field('s', 'string'), ['x'.repeat(MAX_STRING)], 'x'.repeat(MAX_STRING)],
    [field('s', 'string'), ['x'.repeat(MAX_STRING + 1)], 'too_long'],
    [field('s', 'string'), [5], 'wrong_type'],
    [list, ['a', ' ', 'b'], ['a', 'b']],
    [list, [' '], null],
    [list, ['a', 5], 'wrong_type'],
    [list, ['lamp', 'Lamp', 'lamp', ' lamp '], ['lamp']],
    [list, '["a", "b"]', ['a', 'b']],
    [list, Array.from({ length: MAX_ITEMS + 1 }, (_, index) => `a${index}`), 'too_many'],
    [list, ['x'.repeat(MAX_ITEM + 1)], 'too_long'],
  ] as const) {
    it(`${JSON.stringify(answered)?.slice(0, 30)} of ${declared.type} is ${JSON.stringify(expected)?.slice(0, 30)}`, () => {
      expect(valueOf(declared, answered)).to.deep.equal(expected);
    });
  }

  it('are missing without an error if the response has no fields or unknown fields', () => {
    for (const encoding of FIELD_ENCODINGS) {
      for (const fields of [undefined, null, 'none', 5, [5, null], { other: [1] }, []]) {
        const { values, problems } = readFields(TWENTY, encoding, { fields, evidence: 'none' });
        expect(new Set(Object.values(values))).to.deep.equal(new Set([null]));
        expect(Object.values(problems).map(({ code }) => code)).to.deep.equal(Array(20).fill('missing'));
      }
    }
  });
});
