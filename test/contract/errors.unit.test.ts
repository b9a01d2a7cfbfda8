import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { refusal, type ApiError } from '../../api/errors.ts';
import { toProblem } from '../../api/http/problems.ts';
import { failure, FAILURES, type FailureKey } from '../../contract/errors/failures.ts';
import { fieldError, FIELD_ERRORS, type FieldErrorKey } from '../../contract/errors/field-errors.ts';
import { DETAILS, PROBLEMS, type ProblemKey } from '../../contract/errors/problems.ts';
import { rule } from '../../contract/errors/rule.ts';
import { sayIssue } from '../../contract/errors/zod-issues.ts';

interface Recorded<Key> {
  key: Key;
  given?: Record<string, string | number>;
}

/** Responses as clients have received them since the reasons exist. Change one only with the clients. */
const recorded = JSON.parse(readFileSync(new URL('../fixtures/errors.json', import.meta.url), 'utf8')) as {
  problems: (Recorded<ProblemKey> & { problem: object })[];
  failures: (Recorded<FailureKey> & { failure: object })[];
  fields: (Recorded<FieldErrorKey> & { error: object })[];
};

/** The functions check parameters by types, which a file does not have. */
const untyped = (say: unknown) => say as (key: string, given?: object) => unknown;
const keysOf = (rows: Recorded<string>[]) => [...new Set(rows.map(({ key }) => key))].sort();

describe('Errors', () => {
  it('keep the code, status, English, reason and parameters that clients know', () => {
    for (const { key, given, problem } of recorded.problems) {
      const { type: _, request_id: __, ...said } = toProblem(untyped(refusal)(key, given) as ApiError, '');
      expect(said, key).to.deep.equal(problem);
    }
    for (const { key, given, failure: expected } of recorded.failures)
      expect(untyped(failure)(key, given), key).to.deep.equal(expected);
    for (const { key, given, error } of recorded.fields)
      expect(untyped(fieldError)(key, given), key).to.deep.equal(error);
  });

  it('are all recorded', () => {
    expect(keysOf(recorded.problems)).to.include.members(Object.keys({ ...PROBLEMS, ...DETAILS }));
    expect(keysOf(recorded.failures)).to.include.members(Object.keys(FAILURES));
    expect(keysOf(recorded.fields)).to.include.members(Object.keys(FIELD_ERRORS));
  });

  it('have exactly the parameters of their sentence', () => {
    const mistakes = () => [
      // @ts-expect-error A parameter is missing.
      refusal('batches_limit'),
      // @ts-expect-error A parameter is unknown.
      refusal('batches_limit', { max: 5, min: 1 }),
      // @ts-expect-error The sentence has no parameters.
      fieldError('not_set', { field: 'webhook_url' }),
      // @ts-expect-error There is no such reason.
      failure('budget_lost'),
    ];
    expect(mistakes).to.be.a('function');
    const { message } = failure('key_refused', { name: 'OpenAI', setting: 'OPENAI_API_KEY' });
    expect(message).to.equal('OpenAI refused the API key: check OPENAI_API_KEY');
  });

  it('of schemas have the code and parameters of the rule or of the issue, and its English', () => {
    const text = z.string();
    for (const [schema, value, code, params] of [
      [text, 1, 'type', { type: 'string', received: 'number' }],
      [z.int(), 1.5, 'type', { type: 'int', received: 'number' }],
      [z.number(), Infinity, 'type', { type: 'number', received: 'Infinity' }],
      [text, null, 'type', { type: 'string', received: 'null' }],
      [text, ['a'], 'type', { type: 'string', received: 'array' }],
      [text, { a: 1 }, 'type', { type: 'string', received: 'object' }],
      [z.literal('a'), 'c', 'type', { type: '"a"' }],
      [z.literal(true), false, 'type', { type: 'true' }],
      [z.enum(['a', 'b']), 'c', 'option', { options: '"a"|"b"' }],
      [z.literal([1, 'b']), 'c', 'option', { options: '1|"b"' }],
      [z.number().min(2), 1, 'minimum', { type: 'number', min: '2' }],
      [z.number().max(2), 3, 'maximum', { type: 'number', max: '2' }],
      [z.number().gt(2), 2, 'above', { type: 'number', min: '2' }],
      [z.number().lt(2), 2, 'below', { type: 'number', max: '2' }],
      [z.number().multipleOf(0.5), 0.7, 'multiple', { step: '0.5' }],
      [text.min(2), 'a', 'min_characters', { min: '2' }],
      [text.max(2), 'abc', 'max_characters', { max: '2' }],
      [text.regex(/^a$/), 'b', 'format', { format: '/^a$/' }],
      [z.array(text).max(1), ['a', 'b'], 'too_many', { type: 'array', max: '1', unit: 'items' }],
      [z.array(text).min(1), [], 'too_few', { type: 'array', min: '1', unit: 'items' }],
      [z.email(), 'a', 'email', undefined],
      [z.url(), 'a', 'format', { format: 'URL' }],
      [z.iso.date(), 'a', 'format', { format: 'ISO date' }],
      [z.iso.datetime(), 'a', 'format', { format: 'ISO datetime' }],
      [z.record(text.max(1), text), { ab: 'c' }, 'format', { format: 'key in record' }],
      [z.union([text, z.null()]), 1, 'invalid', undefined],
      [z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]), { kind: 'b' }, 'option', { options: "'a'" }],
      [text.refine(() => false), 'a', 'invalid', undefined],
    ] as const) {
      const [issue] = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
      const expected = { message: issue?.message, code, ...(params && { params }) };
      expect(issue && sayIssue(issue), JSON.stringify(expected)).to.deep.equal(expected);
    }
    for (const schema of [
      text.regex(/^a$/, rule('printable', { max: 5 })),
      text.refine(() => false, rule('printable', { max: 5 })),
      z.never(rule('printable', { max: 5 })),
    ]) {
      const [issue] = schema.safeParse('b').error?.issues ?? [];
      expect(issue?.message).to.equal('must be 1 to 5 printable ASCII characters');
      expect(issue && sayIssue(issue)).to.deep.equal(fieldError('printable', { max: 5 }));
    }
  });
});
