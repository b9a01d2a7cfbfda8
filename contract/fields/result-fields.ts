/** Fields: an assistant's questions, each answered with a typed value. docs/decisions.md, "Fields". */
import { LIMITS } from '../values/limits.ts';
import { SAID_BY } from './field-types.ts';
import { phrases } from './phrases.ts';
import { z } from 'zod';
import type { FieldFault } from '../errors/field-errors.ts';
import { rule, ruleIssue } from '../errors/rule.ts';
import { FIELD_TYPES } from '../values/constants.ts';
import { areDistinct, fieldConditions, openEnum, responseObject, text } from '../values/schemas.ts';

/** Below the documented schema limits of every provider. */
const MAX_OPTIONS_IN_ALL = 500;
const MAX_CHARACTERS_IN_ALL = 15_000;

/** Control characters and line breaks, which would break the header of a table or a line of a message. */
const NOT_ON_A_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** The same and a character that is not blank, for the regular expressions of other languages. */
const ONE_LINE =
  '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*\\S[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

const BOUNDED = ['integer', 'number'];

const scorePart = () => ({
  field: z.string().max(LIMITS.fieldName),
  points: z.record(text({ max: 100 }), z.int().min(0).max(1_000)),
});

const ResultFieldInputSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, rule('key_format'))
      .describe('Name of the property in `raw_response.fields`.')
      .meta({ examples: ['resolved'] }),
    title: text({ max: LIMITS.fieldTitle })
      .trim()
      .refine((title) => title !== '', rule('empty:blank'))
      .refine((title) => !NOT_ON_A_LINE.test(title), rule('characters:control'))
      .optional()
      .describe('Name of the field for people, in any language. The model does not receive it.')
      .meta({ pattern: ONE_LINE, examples: ['Problem solved'] }),
    type: z.enum(FIELD_TYPES).meta({ examples: ['boolean'] }),
    description: text({ min: 1, max: LIMITS.fieldQuestion })
      .describe('The question for the language model. It does not receive a `score`.')
      .meta({ examples: ['Was the problem solved?'] }),
    options: z
      .array(
        text({ min: 1, max: 100 })
          .refine((option) => /\S/.test(option), rule('empty:blank'))
          .meta({ pattern: '^[^\\u0000]*\\S[^\\u0000]*$' }),
      )
      .min(2, rule('too_few:have', { min: 'two', unit: 'options' }))
      .max(50)
      .refine(
        (options) => areDistinct(options.map((option) => option.normalize('NFKC').trim().toLowerCase())),
        rule('unique:ignoring_case'),
      )
      .optional()
      .describe('Allowed values. Required for `enum`, not allowed for other types.'),
    minimum: z.number().optional().describe('`integer` and `number` only.'),
    maximum: z.number().optional().describe('`integer` and `number` only.'),
    of: z
      .array(z.strictObject(scorePart()))
      .min(1)
      .max(LIMITS.fields)
      .refine((parts) => areDistinct(parts.map(({ field }) => field)), rule('unique:fields'))
      .optional()
      .describe('`score` only, required: points by answer: `true`, an option, or the number from which a band counts.'),
    must: fieldConditions()
      .optional()
      .describe('`score` only: conditions as in alerts, all of which must be met to pass. A null field meets them.'),
    pass: z.number().min(0).max(100).optional().describe('`score` only, required: the lowest value that passes.'),
    said_by: z
      .enum(SAID_BY)
      .optional()
      .describe(
        'Only a quote of this speaker verifies the value: the question of an operator is no answer of the client.',
      ),
    phrases: phrases().optional(),
    by: z.enum(SAID_BY).optional().describe('`said` only: who has to say it. Default: anyone.'),
    within_s: z.int().min(1).max(86_400).optional().describe('`said` only: within these first seconds.'),
    evidence: z
      .boolean()
      .default(true)
      .describe('true: the model must quote the conversation, and the quotes are checked.'),
  })
  .superRefine((field, context) => {
    const refuse = (path: string, ...fault: FieldFault) => context.addIssue(ruleIssue([path], ...fault));
    const { type, options, minimum, maximum } = field;
    if (type === 'enum' && options === undefined) refuse('options', 'required:for', { purpose: 'the type enum' });
    if (type !== 'enum' && options !== undefined) refuse('options', 'only_for', { other: 'type enum has options' });
    for (const name of ['of', 'pass'] as const)
      if (type === 'score' && field[name] === undefined) refuse(name, 'required:for', { purpose: 'the type score' });
    for (const name of ['of', 'must', 'pass'] as const)
      if (type !== 'score' && field[name] !== undefined) refuse(name, 'only_for', { other: `type score has ${name}` });
    if (type === 'said' && field.phrases === undefined) refuse('phrases', 'required:for', { purpose: 'the type said' });
    for (const name of ['phrases', 'by', 'within_s'] as const)
      if (type !== 'said' && field[name] !== undefined) refuse(name, 'only_for', { other: `type said has ${name}` });
    if (['said', 'score'].includes(type) && field.said_by !== undefined)
      refuse('said_by', 'only_for', { other: 'answers of a model are quoted' });
    for (const bound of ['minimum', 'maximum'] as const) {
      if (field[bound] === undefined) continue;
      if (!BOUNDED.includes(type)) refuse(bound, 'only_for', { other: 'types integer and number have bounds' });
      else if (type === 'integer' && !Number.isSafeInteger(field[bound])) refuse(bound, 'integer');
    }
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) refuse('maximum', 'bounds');
  })
  .meta({ id: 'ResultFieldInput', ...jsonSchemaRules() });

/** The title of a field in a response. */
export const fieldTitle = () =>
  z
    .string()
    .optional()
    .describe('Name of the field for people; absent: it has none.')
    .meta({ examples: ['Problem solved'] });

export const ResultFieldSchema = responseObject('ResultField', {
  name: z.string().meta({ examples: ['resolved'] }),
  title: fieldTitle(),
  type: openEnum(FIELD_TYPES),
  description: z.string().meta({ examples: ['Was the problem solved?'] }),
  options: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  of: z.array(z.object(scorePart())).optional(),
  must: z.array(z.string()).optional(),
  pass: z.number().optional(),
  said_by: openEnum(SAID_BY).optional(),
  phrases: z.array(z.string()).optional(),
  by: openEnum(SAID_BY).optional(),
  within_s: z.int().optional(),
  evidence: z.boolean(),
});
export type ResultField = z.output<typeof ResultFieldSchema>;

export const FieldValueSchema = z.union([z.boolean(), z.number(), z.string(), z.array(z.string())]);

/** A field's value. Nullable where used: null means that the conversation does not answer the question. */
export type FieldValue = z.output<typeof FieldValueSchema>;

/** Words of the conversation that support a value. */
export const QuoteSchema = responseObject('Quote', {
  turn: z.int().describe('Index of the turn in `conversation`.'),
  turn_end: z.int().optional().describe('Index of the last turn, if the quote spans several turns.'),
  role: z.string().optional().describe('Who said it: the speaker of the first turn. Absent in older results.'),
  quote: z.string().describe('Exact words of the conversation. Turns are separated by line breaks.'),
  match: openEnum(['exact', 'moved', 'close']).describe(
    'Where the words were found: in the turn that the model named, or in another one. `close`, in older results: with other spellings.',
  ),
  context: z
    .string()
    .optional()
    .describe('The whole turn; of a long one, 300 characters before and after the quote. Absent in older results.'),
  start_s: z.number().optional().describe('Seconds from the start of the conversation, if known.'),
  end_s: z.number().optional(),
  approximate: z.boolean().optional().describe('true if the times are estimated within a long turn.'),
});
export type Quote = z.output<typeof QuoteSchema>;

/** A quote of the model that nobody said. */
export const UnfoundQuoteSchema = responseObject('UnfoundQuote', {
  quote: z.string().describe("The model's words."),
  match: openEnum(['similar', 'none']).describe('`similar`: one speaker said more than half of the words together.'),
  nearest: z.string().optional().describe('`similar` only: what the speaker said.'),
  context: z.string().optional().describe('The turn around `nearest`, as in a quote.'),
});
export type UnfoundQuote = z.output<typeof UnfoundQuoteSchema>;

/** The checked quotes of one value. Only for values of fields with `evidence`. */
export const FieldEvidenceSchema = responseObject('FieldEvidence', {
  verified: z
    .boolean()
    .describe(
      'true: at least one quote was said, by its `role` in its `turn`; with `said_by`, by that speaker. It may still not support the value. ' +
        'Of the type `said`: the whole conversation was searched.',
    ),
  reason: openEnum(['no_roles'])
    .optional()
    .describe('Why it is not verified: `said_by` is set, and the conversation has no roles.'),
  value_in_quote: z
    .boolean()
    .nullable()
    .describe('true: a quote contains the value; null: this cannot be determined by comparing text.'),
  dropped: z.int().describe('Number of quotes that were not found.'),
  quotes: z.array(QuoteSchema),
  unfound: z
    .array(UnfoundQuoteSchema)
    .optional()
    .describe('These quotes. Absent if there are none, and in older results.'),
  unchecked: z
    .int()
    .optional()
    .describe('Number of quotes that were not searched: longer than 10,000 characters, or after 2 s. Absent: none.'),
});
export type FieldEvidence = z.output<typeof FieldEvidenceSchema>;

const PROBLEM_CODES = [
  'wrong_type',
  'not_an_option',
  'out_of_range',
  'too_long',
  'too_many',
  'missing',
  'no_roles',
  'no_times',
] as const;

export const FieldProblemSchema = z.object({ code: openEnum(PROBLEM_CODES), message: z.string() }).meta({
  id: 'FieldProblem',
  description: 'Why there is no value: two calls to the model returned no valid one, or roles or times are missing.',
});
export type FieldProblem = z.output<typeof FieldProblemSchema>;

/** What a score is made of. */
export const ScoreSchema = responseObject('Score', {
  value: z.number().nullable().describe('From 0 to 100; null: no field of the score has an answer.'),
  low: z.number().nullable().describe('The value if each unverified answer were its worst.'),
  high: z.number().nullable().describe('The value if each unverified answer were its best.'),
  passed: z.union([z.boolean(), openEnum(['open'])]).nullable(),
  parts: z.array(z.object({ field: z.string(), points: z.int().nullable(), max: z.int(), unverified: z.boolean() })),
  must: z.array(z.object({ field: z.string(), met: z.boolean(), unverified: z.boolean() })),
  version: z.int().nullish().describe('Assistant version of the points; null: other settings.'),
});
export type Score = z.output<typeof ScoreSchema>;

/** The part of `raw_response` that an assistant with fields adds, by field name. */
export interface FieldResults {
  fields: Record<string, FieldValue | null>;
  evidence: Record<string, FieldEvidence>;
  problems?: Record<string, FieldProblem>;
  /** Absent without a field of the type `score`. */
  scores?: Record<string, Score>;
}

/** The fields in a request. */
export const resultFields = () =>
  z
    .array(ResultFieldInputSchema)
    .max(LIMITS.fields)
    .superRefine(checkTogether)
    .describe(
      'Questions to answer as typed values in `raw_response.fields`, with quotes as evidence. ' +
        `In total, at most ${MAX_OPTIONS_IN_ALL} options and ${MAX_CHARACTERS_IN_ALL} characters of names and options. ` +
        '`null` or `[]`: none.',
    );

/** Checks names and total sizes. The error names the field that exceeds a limit. */
function checkTogether(fields: readonly ResultField[], context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  let options = 0;
  let characters = 0;
  for (const [index, field] of fields.entries()) {
    const refuse = (path: string, ...fault: FieldFault) => context.addIssue(ruleIssue([index, path], ...fault));
    if (names.has(field.name)) refuse('name', 'unique:name');
    names.add(field.name);
    options += field.options?.length ?? 0;
    characters += schemaCharacters([field]);
    if (options > MAX_OPTIONS_IN_ALL) {
      return refuse('options', 'too_much', { what: 'the fields', max: MAX_OPTIONS_IN_ALL, unit: 'options' });
    }
    if (characters > MAX_CHARACTERS_IN_ALL) {
      const longest = field.options ? 'options' : 'name';
      return refuse(longest, 'too_much', { what: 'names and options', max: MAX_CHARACTERS_IN_ALL, unit: 'characters' });
    }
  }
}

/** Returns the number of characters of names and options, which providers limit in a schema. */
export function schemaCharacters(fields: readonly Pick<ResultField, 'name' | 'options'>[]): number {
  return fields.reduce((sum, { name, options = [] }) => sum + name.length + options.join('').length, 0);
}

/** Returns the rules of `superRefine` for one field as JSON Schema. */
function jsonSchemaRules(): Record<string, unknown> {
  const forbid = (...names: string[]) => ({ not: { anyOf: names.map((name) => ({ required: [name] })) } });
  const ofType = (...types: string[]) => ({ properties: { type: { enum: types } } });
  return {
    allOf: [
      { if: ofType('enum'), then: { required: ['options'] }, else: forbid('options') },
      { if: ofType('integer', 'number'), else: forbid('minimum', 'maximum') },
      { if: ofType('said'), then: { required: ['phrases'] }, else: forbid('phrases', 'by', 'within_s') },
      { if: ofType('said', 'score'), then: forbid('said_by') },
      { if: ofType('score'), then: { required: ['of', 'pass'] }, else: forbid('of', 'must', 'pass') },
    ],
  };
}
