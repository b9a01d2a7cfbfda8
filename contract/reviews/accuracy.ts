/** How often the model's values agree with the reviews: docs/reviews.md. */
import { z } from 'zod';
import { FIELD_TYPES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { FollowUpSchema } from '../assistants/follow-ups.ts';
import { metadataGroup, metadataGroupMembers } from '../values/metadata-group.ts';
import { openEnum, queryInteger, responseObject, typeId } from '../values/schemas.ts';
import { FieldValueSchema, fieldTitle } from '../fields/result-fields.ts';
import { periodQuery } from '../service/usage.ts';

const bounds = {
  lower: z.number().nullable().describe('Lower bound of the 95% interval (Wilson); null: nothing was judged.'),
  upper: z.number().nullable(),
};

const share = {
  right: z.int().describe('Number of values that agree with the review.'),
  judged: z.int().describe('Number of values that were reviewed.'),
  share: z.number().nullable().describe('`right` divided by `judged`; null: nothing was judged.'),
  ...bounds,
};

export const ShareSchema = responseObject('Share', share);
export type Share = z.output<typeof ShareSchema>;

const AgreementSchema = responseObject(
  'Agreement',
  {
    agreed: z.int().describe('Number of sessions about which two people gave the same answer.'),
    judged: z.int().describe('Number of sessions that two people answered independently.'),
    share: z.number().nullable().describe('`agreed` divided by `judged`; null: nothing was judged twice.'),
    ...bounds,
    kappa: z
      .number()
      .nullable()
      .describe(
        "Cohen's kappa: 1 is full agreement, 0 is what chance gives. Only for `boolean`, `enum` and `integer`; null: none, or " +
          'everybody always gave the same answer.',
      ),
  },
  'How often two people agree. The accuracy cannot be known better.',
);

const FieldAccuracySchema = responseObject('FieldAccuracy', {
  name: z.string(),
  title: fieldTitle(),
  type: openEnum(FIELD_TYPES),
  ...share,
  wrong: z.int().describe('Both the model and the reviewer have a value, and they differ.'),
  missed: z.int().describe('Only the reviewer has a value.'),
  invented: z.int().describe('Only the model has a value.'),
  unsure: z.int().describe('The reviewer did not know the answer. Not counted in `judged`.'),
  /** Values with at least one quote that was found in the conversation. */
  verified: ShareSchema,
  unverified: ShareSchema,
  baseline: responseObject('AnswerBaseline', { value: FieldValueSchema.nullable(), share: z.number() })
    .nullable()
    .describe(
      'The most frequent right answer, and how often it is right; null: only for `boolean`, `enum` and `integer`.',
    ),
  by_version: z.array(ShareSchema.extend({ version: z.int() })).describe('Newest version first.'),
  by_group: z
    .array(ShareSchema.extend(metadataGroupMembers))
    .optional()
    .describe('Only with `group_by`; most reviews first.'),
  /** Reviews outside of the random sample. */
  others: ShareSchema,
  agreement: AgreementSchema,
});
export type FieldAccuracy = z.output<typeof FieldAccuracySchema>;

const AccuracyReportSchema = responseObject('AccuracyReport', {
  from: z.iso.date().meta({ examples: ['2026-11-21'] }),
  to: z.iso.date().meta({ examples: ['2026-11-21'] }),
  sampled: z.int().describe('Number of reviewed sessions from a random sample.'),
  others: z.int().describe('Number of other reviewed sessions.'),
  fallback: z.int().describe('Number of reviewed sessions that a fallback provider analyzed. They count in no share.'),
  second_opinions: z.int().describe('Number of sessions with a second opinion.'),
  disputed: z.int().describe('Number of sessions about which two people differ, and nobody has decided.'),
  chosen_by: z
    .array(FollowUpSchema)
    .optional()
    .describe(
      'Assistants whose results choose sessions of this one, now or by a batch, with the conditions: these sessions are no random sample of all ' +
        'conversations. Absent: none.',
    ),
  fields: z
    .array(FieldAccuracySchema)
    .describe('The reviewed fields: current ones in their order, then former fields.'),
});
export type AccuracyReport = z.output<typeof AccuracyReportSchema>;

export const getAssistantAccuracy = endpointsOf('Assistants')(
  'getAssistantAccuracy',
  'get /v1/assistants/{id}/accuracy',
  {
    summary: 'Retrieve the accuracy of field values',
    description:
      'Compares the values of the model with the reviews of a period. Only reviews of a random sample count.',
    scope: 'sessions:read',
    params: z.object({ id: typeId('asst') }),
    query: z.strictObject({
      ...periodQuery('the conversations (`occurred_at`)'),
      version: queryInteger(1, 999_999_999).optional().describe('Only sessions of this version.'),
      group_by: metadataGroup(),
    }),
    answers: { 200: AccuracyReportSchema },
  },
);

export const VERDICTS = ['better', 'worse', 'same', 'unclear', 'not_compared'] as const;
export type Verdict = (typeof VERDICTS)[number];

const FieldVerdictSchema = responseObject('FieldVerdict', {
  name: z.string(),
  title: fieldTitle(),
  both: z.int().describe('Sessions in which both values are right.'),
  only_before: z.int().describe('Sessions in which only the former value is right.'),
  only_after: z.int().describe('Sessions in which only the new value is right.'),
  neither: z.int().describe('Sessions in which neither value is right.'),
  before: ShareSchema,
  after: ShareSchema,
  difference: z.number().nullable().describe('`after.share` minus `before.share`; null: nothing was compared.'),
  lower: z.number().nullable().describe('Lower bound of the 95% interval of the difference (Newcombe, paired).'),
  upper: z.number().nullable(),
  p: z.number().nullable().describe("McNemar's mid-p."),
  p_adjusted: z
    .number()
    .nullable()
    .describe(
      '`p`, corrected for the number of fields that can differ (Tarone, Holm); null: the field can not differ.',
    ),
  verdict: openEnum(VERDICTS).describe(
    '`better` and `worse`: `p_adjusted` is below 0.05, and the interval does not contain 0. `same`: the interval lies within 5 ' +
      'points. `unclear`: neither is shown. `not_compared`: the question changed, the answers are long texts, or `chosen_by` is not empty.',
  ),
  more_reviews: z
    .int()
    .nullable()
    .describe(
      'With `unclear`: the approximate number of further reviews that would show a difference of 5 points in 80% of the cases, ' +
        'with this number of fields; null: there are enough.',
    ),
  left_out: z
    .int()
    .describe(
      'Reviewed pairs of the sample whose question had another type, description or options. They are not compared.',
    ),
  question_changed: z.boolean().describe('true: `left_out` contains all reviewed pairs.'),
  others: z
    .object({ fixed: z.int(), broken: z.int() })
    .describe('Reviews outside of the random sample: values that became right, or wrong.'),
});
export type FieldVerdict = z.output<typeof FieldVerdictSchema>;

export const BatchAccuracySchema = responseObject('BatchAccuracy', {
  sessions: z.int().describe('Number of compared pairs from a random sample.'),
  others: z.int().describe('Number of other pairs with a review.'),
  failed: z.int().describe('Number of sessions of the batch that failed. They are not compared.'),
  fallback: z.int().describe('Number of pairs whose new session a fallback provider analyzed. They are not compared.'),
  former_fallback: z
    .int()
    .describe('Number of pairs whose former session a fallback provider analyzed. They are not compared.'),
  is_sample: z.boolean().describe('true: there are more than 5,000 reviewed pairs, and so many are read.'),
  chosen_by: z
    .array(z.string())
    .describe(
      'Filters of the batch that chose sessions by their results or by hand. Its sessions are not a random sample.',
    ),
  tests: z
    .int()
    .describe(
      'Number of batches that reanalyzed any of these reviewed sessions. The best of many equal prompts looks better than it is.',
    ),
  fields: z.array(FieldVerdictSchema),
});
export type BatchAccuracy = z.output<typeof BatchAccuracySchema>;

export const getBatchAccuracy = endpointsOf('Batches')('getBatchAccuracy', 'get /v1/batches/{id}/accuracy', {
  summary: 'Compare a reanalysis with the reviews',
  description: 'Tells for each field whether the new settings are more often right than the former ones.',
  scope: 'sessions:read',
  params: z.object({ id: typeId('bat') }),
  answers: { 200: BatchAccuracySchema },
  errors: ['conflict'],
});
