/** What sessions answered to the fields of an assistant, counted: docs/decisions.md, "Results". */
import { z } from 'zod';
import { FIELD_TYPES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, queryFieldConditions, queryInteger, typeId } from './fields.ts';
import { periodQuery } from './period.ts';

/** Values of a field that are told one by one. */
export const MAX_COUNTED_VALUES = 20;

const counts = {
  count: z.int().describe('Sessions that were asked.'),
  null_count: z.int().describe('Of them, those whose conversation does not say it.'),
  unverified_count: z.int().describe('Of them, those with a value none of whose quotations stands.'),
  mean: z.number().nullable().describe('Of numbers; null where there are none.'),
  value_counts: z.array(z.int()).describe('How often each of `values` was answered, in its order.'),
};

const FieldNumbersSchema = z
  .object({
    min: z.number(),
    max: z.number(),
    quartiles: z.array(z.number()).length(3),
    histogram: z
      .array(z.object({ from: z.number(), to: z.number().describe('Exclusive.'), count: z.int() }))
      .describe('Some 20 parts of equal width between round numbers; empty ones are left out.'),
  })
  .meta({ id: 'FieldNumbers' });

export type FieldNumbers = z.output<typeof FieldNumbersSchema>;

const FieldCountsSchema = z
  .object({
    name: z.string(),
    type: openEnum(FIELD_TYPES),
    ...counts,
    values: z
      .array(z.union([z.boolean(), z.string()]))
      .describe(`The ${MAX_COUNTED_VALUES} most frequent values, the first the most; none of numbers.`),
    other_count: z.int().describe('Answers with other values; each item of a list is one.'),
    numbers: FieldNumbersSchema.nullable().describe('null: the type is no number, or there are none.'),
    by_day: z
      .array(z.object({ day: z.iso.date(), ...counts }))
      .describe('UTC, by `created_at`; days without are left out.'),
    by_version: z.array(z.object({ version: z.int(), ...counts })),
  })
  .meta({ id: 'FieldCounts' });

export type FieldCounts = z.output<typeof FieldCountsSchema>;

export const ResultsReportSchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    sessions: z
      .int()
      .describe(
        'Completed sessions that were asked at least one of the fields, with settings of a version: what was tried with others does not count.',
      ),
    fields: z.array(FieldCountsSchema).describe('Those that the assistant has, in their order; then those it had.'),
  })
  .meta({ id: 'ResultsReport' });

export type ResultsReport = z.output<typeof ResultsReportSchema>;

export const getAssistantResults = endpoint({
  operationId: 'getAssistantResults',
  method: 'get',
  path: '/v1/assistants/{id}/results',
  summary: 'What sessions answered to the fields of an assistant, counted by value, day and version',
  tag: 'Assistants',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('asst') }),
  query: z.strictObject({
    ...periodQuery(),
    version: queryInteger(1, 999_999_999).optional().describe('Only sessions of this version.'),
    field: queryFieldConditions(),
  }),
  answers: { 200: ResultsReportSchema },
});
