/** What a batch of reanalyses changed: docs/decisions.md, "Batches". */
import { z } from 'zod';
import { SESSION_STATUSES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { listOf, openEnum, pageQuery, responseObject, text, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Batches');

const FIELD_CHANGES = ['same', 'changed', 'gained', 'lost'] as const;

const FieldComparisonSchema = responseObject('FieldComparison', {
  name: z.string().meta({ examples: ['resolved'] }),
  before: z.unknown().describe('null: no value.'),
  after: z.unknown().describe('null: no value.'),
  change: openEnum(FIELD_CHANGES),
  was_right: z
    .boolean()
    .nullable()
    .describe('Whether `before` agrees with the review; null: no review of this question.'),
  is_right: z.boolean().nullable().describe('Whether `after` agrees with the review.'),
});
export type FieldComparison = z.output<typeof FieldComparisonSchema>;

const spent = {
  cost_usd: usd().describe('Cost of the analysis, without calls of unknown price.'),
  duration_s: z.number().describe('Duration of the calls to the language model, in seconds.'),
};

const ComparedSessionSchema = responseObject('ComparedSession', {
  session_id: typeId('sess'),
  status: openEnum(SESSION_STATUSES),
  summary_text: z.string().nullable(),
  ...spent,
});

const BatchComparisonItemSchema = responseObject('BatchComparisonItem', {
  before: ComparedSessionSchema,
  after: ComparedSessionSchema,
  metadata: z.record(z.string(), z.string()),
  fields: z.array(FieldComparisonSchema).describe('The fields of both sessions, by name.'),
});
export type BatchComparisonItem = z.output<typeof BatchComparisonItemSchema>;

const BatchTotalsSchema = responseObject('BatchTotals', {
  sessions: z.int().describe('Number of compared pairs. Only pairs whose new session is completed count.'),
  sampled: z.boolean().describe('true: based on a sample of the pairs.'),
  fields: z.array(z.object({ name: z.string(), same: z.int(), changed: z.int(), gained: z.int(), lost: z.int() })),
  before: z.object(spent),
  after: z.object(spent),
});
export type BatchTotals = z.output<typeof BatchTotalsSchema>;

const BatchComparisonSchema = listOf(BatchComparisonItemSchema)
  .extend({ totals: BatchTotalsSchema.nullable().describe('Present on the first page only; otherwise null.') })
  .meta({ id: 'BatchComparison' });
export type BatchComparison = z.output<typeof BatchComparisonSchema>;

export const compareBatch = endpoint('compareBatch', 'get /v1/batches/{id}/comparison', {
  summary: 'Compare the results of a reanalysis',
  description: 'Returns each session and its fields before and after the reanalysis. Deleted sessions are omitted.',
  scope: 'sessions:read',
  params: z.object({ id: typeId('bat') }),
  query: z.strictObject({
    changed: text({ min: 1, max: 40 })
      .optional()
      .describe('Name of a field. Returns only sessions in which its value changed.')
      .meta({ examples: ['resolved'] }),
    different: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'true: returns only sessions whose summary or values differ. Those with a changed value that was reviewed come first: ' +
          'right values that became wrong, then wrong ones, then values that became right.',
      ),
    ...pageQuery('sess'),
  }),
  answers: { 200: BatchComparisonSchema },
  errors: ['conflict'],
});
