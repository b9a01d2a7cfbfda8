/** Statistics of field values: docs/find.md. */
import { z } from 'zod';
import { FIELD_TYPES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  csvDelimiter,
  openEnum,
  queryFieldConditions,
  queryInteger,
  queryValues,
  responseObject,
  typeId,
} from '../values/schemas.ts';
import { fieldTitle } from '../fields/result-fields.ts';
import { metadataGroup, metadataGroupMembers, metadataKeys } from '../values/metadata-group.ts';
import { periodQuery } from './usage.ts';

const endpoint = endpointsOf('Assistants');

/** Number of values of a field that are listed. */
export const MAX_COUNTED_VALUES = 20;

const counts = {
  count: z.int().describe('Number of sessions with this field.'),
  null_count: z.int().describe('Number of these sessions without a value.'),
  unverified_count: z.int().describe('Number of these sessions with a value whose quotes were not found.'),
  mean: z.number().nullable().describe('Mean of the numbers; null: no numbers.'),
  value_counts: z.array(z.int()).describe('Number of occurrences of each of `values`, in the same order.'),
};

const FieldNumbersSchema = responseObject('FieldNumbers', {
  min: z.number(),
  max: z.number(),
  quartiles: z
    .array(z.number())
    .length(3)
    .meta({ examples: [[3, 7, 9]] }),
  histogram: z
    .array(z.object({ from: z.number(), to: z.number().describe('Exclusive.'), count: z.int() }))
    .describe('About 20 intervals of equal width; empty ones are omitted.'),
});
export type FieldNumbers = z.output<typeof FieldNumbersSchema>;

const FieldCountsSchema = responseObject('FieldCounts', {
  name: z.string().meta({ examples: ['resolved'] }),
  title: fieldTitle(),
  type: openEnum(FIELD_TYPES),
  ...counts,
  values: z
    .array(z.union([z.boolean(), z.string()]))
    .describe(`The ${MAX_COUNTED_VALUES} most frequent values, most frequent first; empty for numbers.`),
  other_count: z.int().describe('Number of values that are not in `values`. Each item of a list counts.'),
  numbers: FieldNumbersSchema.nullable().describe('null: not a number field, or no values.'),
  by_day: z
    .array(z.object({ day: z.iso.date().meta({ examples: ['2026-11-21'] }), ...counts }))
    .describe('By `occurred_at` in the time zone of the request. Days without sessions are omitted.'),
  by_version: z.array(z.object({ version: z.int(), ...counts })),
  by_group: z
    .array(z.object({ ...metadataGroupMembers, ...counts }))
    .optional()
    .describe('Only with `group_by`; most sessions first.'),
});
export type FieldCounts = z.output<typeof FieldCountsSchema>;

const ResultsReportSchema = responseObject('ResultsReport', {
  from: z.iso.date().meta({ examples: ['2026-11-21'] }),
  to: z.iso.date().meta({ examples: ['2026-11-21'] }),
  sessions: z
    .int()
    .describe(
      'Number of completed sessions with at least one of the fields. Reanalyses whose settings are not those of a version are not counted.',
    ),
  metadata_keys: metadataKeys(),
  fields: z.array(FieldCountsSchema).describe('The current fields in their order, then former fields.'),
});
export type ResultsReport = z.output<typeof ResultsReportSchema>;

const query = () => ({
  ...periodQuery('the conversations (`occurred_at`)'),
  version: queryInteger(1, 999_999_999).optional().describe('Only sessions of this version.'),
  group_by: metadataGroup(),
  values: queryValues(),
});

const params = z.object({ id: typeId('asst') });

export const getAssistantResults = endpoint('getAssistantResults', 'get /v1/assistants/{id}/results', {
  summary: 'Retrieve statistics of field values',
  description: 'Counts the field values of the sessions of an assistant by value, day and version.',
  scope: 'sessions:read',
  params,
  query: z.strictObject({ ...query(), field: queryFieldConditions() }),
  answers: { 200: ResultsReportSchema },
});

export const exportAssistantResults = endpoint('exportAssistantResults', 'get /v1/exports/assistants/{id}/results', {
  summary: 'Export field values and their accuracy by group',
  description:
    'Returns the shares of the values of each field, and how often they are right, with 95% intervals (Wilson), by ' +
    'version or by `group_by`, as a CSV file with one share per line.',
  scope: 'sessions:export',
  params,
  query: z.strictObject({ ...query(), delimiter: csvDelimiter() }),
  answers: { 200: null },
  produces: ['text/csv'],
});
