/** Fields: an assistant's own questions, each answered with one typed value. docs/decisions.md, "Fields". */
import { z } from 'zod';
import { FIELD_TYPES } from './constants.ts';
import { openEnum, text } from './fields.ts';

/** Bounds that lie under every limit that a vendor documents for the schema of its answers. */
const MAX_FIELDS = 50;
const MAX_OPTIONS_IN_ALL = 500;
const MAX_CHARACTERS_IN_ALL = 15_000;

const ResultFieldInputSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 lower-case letters, digits and _, and begin with a letter')
      .describe('Key of the value in `raw_response.fields`.')
      .meta({ examples: ['resolved'] }),
    type: z.enum(FIELD_TYPES).meta({ examples: ['boolean'] }),
    description: text({ min: 1, max: 500 })
      .describe('The question, for the language model.')
      .meta({ examples: ['Was the problem solved?'] }),
    options: z
      .array(
        text({ min: 1, max: 100 })
          .refine((option) => /\S/.test(option), 'must not be blank')
          .meta({ pattern: '^[^\\u0000]*\\S[^\\u0000]*$' }),
      )
      .min(2, 'must have at least two options')
      .max(50)
      .refine(
        (options) => new Set(options.map(foldOption)).size === options.length,
        'must be unique without regard to case',
      )
      .optional()
      .describe('What the value is one of. `enum` only, and required there.'),
    minimum: z.number().optional().describe('`integer` and `number` only.'),
    maximum: z.number().optional().describe('`integer` and `number` only.'),
    evidence: z.boolean().default(true).describe('Whether quotations from the conversation are asked for and checked.'),
  })
  .superRefine((field, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { type, options, minimum, maximum } = field;
    if (type === 'enum' && options === undefined) refuse('options', 'is required for the type enum');
    if (type !== 'enum' && options !== undefined) refuse('options', 'only the type enum has options');
    for (const bound of ['minimum', 'maximum'] as const) {
      if (field[bound] === undefined) continue;
      if (type !== 'integer' && type !== 'number') refuse(bound, 'only the types integer and number have bounds');
      else if (type === 'integer' && !Number.isSafeInteger(field[bound])) refuse(bound, 'must be an integer');
    }
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
      refuse('maximum', 'must not be less than the minimum');
    }
  })
  .meta({ id: 'ResultFieldInput', ...jsonSchemaRules() });

/** A field as an answer shows it: a newer release may have types that this one does not know. */
export const ResultFieldSchema = z
  .object({
    name: z.string(),
    type: openEnum(FIELD_TYPES),
    description: z.string(),
    options: z.array(z.string()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    evidence: z.boolean(),
  })
  .meta({ id: 'ResultField' });

export type ResultField = z.output<typeof ResultFieldSchema>;

export const FieldValueSchema = z.union([z.boolean(), z.number(), z.string(), z.array(z.string())]);

/** A field's value; where the conversation does not say it, `null` stands in its place. */
export type FieldValue = z.output<typeof FieldValueSchema>;

/** Words of the conversation from which a value follows, cut out of it. */
export const QuoteSchema = z
  .object({
    turn: z.int().describe("The turn's place in `conversation`, from 0."),
    turn_end: z.int().optional().describe('The turn in which the words end, where that is another one.'),
    quote: z.string().describe("The conversation's own words; of several turns with a line break between them."),
    match: openEnum(['exact', 'moved', 'close']).describe(
      "How the model's quotation fits: by the letter, in another turn than it named, or with slips of the pen.",
    ),
    start_s: z.number().optional().describe('Seconds from the start of the audio, where they are known.'),
    end_s: z.number().optional(),
    approximate: z.literal(true).optional().describe('Present where the times are reckoned within a long turn.'),
  })
  .meta({ id: 'Quote' });

export type Quote = z.output<typeof QuoteSchema>;

/** What came of checking the quotations of one value. Only values have one, and of fields that ask for evidence. */
export const FieldEvidenceSchema = z
  .object({
    verified: z.boolean().describe('At least one quotation stands in the conversation.'),
    value_in_quote: z
      .boolean()
      .nullable()
      .describe("Whether the value itself stands in a quotation; null where that can't be told by comparing texts."),
    dropped: z.int().describe('Quotations that stand nowhere.'),
    quotes: z.array(QuoteSchema),
  })
  .meta({ id: 'FieldEvidence' });

export type FieldEvidence = z.output<typeof FieldEvidenceSchema>;

const PROBLEM_CODES = ['wrong_type', 'not_an_option', 'out_of_range', 'too_long', 'too_many', 'missing'] as const;

/** Why there is no value although the model was asked twice. */
export const FieldProblemSchema = z
  .object({ code: openEnum(PROBLEM_CODES), message: z.string() })
  .meta({ id: 'FieldProblem', description: 'Why there is no value although the model was asked twice.' });

export type FieldProblem = z.output<typeof FieldProblemSchema>;

/** What an assistant with fields adds to `raw_response`, each by the field's name. */
export interface FieldResults {
  fields: Record<string, FieldValue | null>;
  evidence: Record<string, FieldEvidence>;
  problems?: Record<string, FieldProblem>;
}

/** The fields of an assistant that is created or changed. */
export const resultFields = () =>
  z
    .array(ResultFieldInputSchema)
    .max(MAX_FIELDS)
    .superRefine(refuseTogether)
    .describe(
      'Questions to be answered as data, in `raw_response.fields`, each with the words it follows from. ' +
        `At most ${MAX_OPTIONS_IN_ALL} options in all, and ${MAX_CHARACTERS_IN_ALL} characters of names and options. ` +
        '`null` and `[]`: none.',
    );

/** Options are compared as the model's answers are: without regard to case and to blanks around them. */
export const foldOption = (option: string) => option.normalize('NFKC').trim().toLowerCase();

/** Refuses what only several fields together are too much of; the field named is the one that goes beyond. */
function refuseTogether(fields: readonly ResultField[], context: z.core.$RefinementCtx): void {
  const names = new Set<string>();
  let options = 0;
  let characters = 0;
  for (const [index, field] of fields.entries()) {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [index, path], message });
    if (names.has(field.name)) refuse('name', 'is the name of another field too');
    names.add(field.name);
    options += field.options?.length ?? 0;
    characters += schemaCharacters([field]);
    if (options > MAX_OPTIONS_IN_ALL) {
      return refuse('options', `is too much: the fields may have ${MAX_OPTIONS_IN_ALL} options in all`);
    }
    if (characters > MAX_CHARACTERS_IN_ALL) {
      const longest = field.options ? 'options' : 'name';
      return refuse(longest, `is too much: names and options may have ${MAX_CHARACTERS_IN_ALL} characters in all`);
    }
  }
}

/** Returns the characters of names and options, which vendors count in a schema. */
export function schemaCharacters(fields: readonly Pick<ResultField, 'name' | 'options'>[]): number {
  return fields.reduce((sum, { name, options = [] }) => sum + name.length + options.join('').length, 0);
}

/** Returns what `superRefine` asks of one field, for readers of the JSON Schema. */
function jsonSchemaRules(): Record<string, unknown> {
  const forbid = (...names: string[]) => ({ not: { anyOf: names.map((name) => ({ required: [name] })) } });
  const ofType = (...types: string[]) => ({ properties: { type: { enum: types } } });
  return {
    allOf: [
      { if: ofType('enum'), then: { required: ['options'] }, else: forbid('options') },
      { if: ofType('integer', 'number'), else: forbid('minimum', 'maximum') },
    ],
  };
}
