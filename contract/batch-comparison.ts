/** What a batch of reanalyses changed: docs/decisions.md, "Batches". */
import { z } from 'zod';
import { SESSION_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, openEnum, pageQuery, text, typeId, usd } from './fields.ts';

const FIELD_CHANGES = ['same', 'changed', 'gained', 'lost'] as const;
export type FieldChange = (typeof FIELD_CHANGES)[number];

const FieldComparisonSchema = z
  .object({
    name: z.string(),
    before: z.unknown().describe('null: no value.'),
    after: z.unknown().describe('null: no value.'),
    change: openEnum(FIELD_CHANGES),
  })
  .meta({ id: 'FieldComparison' });

export type FieldComparison = z.output<typeof FieldComparisonSchema>;

const spent = {
  cost_usd: usd().describe('Of the analysis, as far as prices are known.'),
  duration_s: z.number().describe('Seconds that the language model took.'),
};

const ComparedSessionSchema = z
  .object({
    session_id: typeId('sess'),
    status: openEnum(SESSION_STATUSES),
    summary_text: z.string().nullable(),
    ...spent,
  })
  .meta({ id: 'ComparedSession' });

const BatchComparisonItemSchema = z
  .object({
    before: ComparedSessionSchema,
    after: ComparedSessionSchema,
    fields: z.array(FieldComparisonSchema).describe('Of both, by name.'),
  })
  .meta({ id: 'BatchComparisonItem' });

export type BatchComparisonItem = z.output<typeof BatchComparisonItemSchema>;

const BatchTotalsSchema = z
  .object({
    sessions: z.int().describe('Pairs that are compared: those whose new session is completed.'),
    sampled: z.boolean().describe('true: some of the pairs, evenly spread.'),
    fields: z.array(z.object({ name: z.string(), same: z.int(), changed: z.int(), gained: z.int(), lost: z.int() })),
    before: z.object(spent),
    after: z.object(spent),
  })
  .meta({ id: 'BatchTotals' });

export type BatchTotals = z.output<typeof BatchTotalsSchema>;

export const compareBatch = endpoint({
  operationId: 'compareBatch',
  method: 'get',
  path: '/v1/batches/{id}/comparison',
  summary:
    'Each session of a reanalysis and each of its fields, before and after; sessions that are deleted are left out',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:read',
  params: z.object({ id: typeId('bat') }),
  query: z.strictObject({
    changed: text({ min: 1, max: 40 })
      .optional()
      .describe('Name of a field: only sessions in which its value differs.')
      .meta({ examples: ['resolved'] }),
    ...pageQuery('sess'),
  }),
  answers: {
    200: listOf(BatchComparisonItemSchema)
      .extend({ totals: BatchTotalsSchema.nullable().describe('On the first page; null on the others.') })
      .meta({ id: 'BatchComparison' }),
  },
  errors: ['conflict'],
});
