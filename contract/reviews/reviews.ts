/** Reviews: people store the right answers about a conversation. docs/reviews.md. */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import { rule } from '../errors/rule.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  areDistinct,
  ifMatch,
  openEnum,
  requestObject,
  responseObject,
  text,
  timestamp,
  typeId,
} from '../values/schemas.ts';
import { MAX_ITEM, MAX_ITEMS, MAX_STRING } from '../fields/check-value.ts';
import { FieldValueSchema, fieldTitle } from '../fields/result-fields.ts';
import { MARKS, QUOTE_STATES } from '../values/session-lists.ts';

const endpoint = endpointsOf('Sessions');

const params = z.object({ id: typeId('sess') });

const EXAMPLE = { resolved: true, reason: null };

/** The same limits as for a model's value. */
const ReviewedValueSchema = z.union([
  z.boolean(),
  z.number(),
  text({ max: MAX_STRING }),
  z.array(text({ max: MAX_ITEM })).max(MAX_ITEMS),
]);

const fieldName = () => text({ min: 1, max: LIMITS.fieldName });

export const ReviewInputSchema = requestObject(
  'ReviewInput',
  {
    answers: z
      .record(fieldName(), ReviewedValueSchema.nullable())
      .default({})
      .describe('The right answer of each reviewed field; null: the conversation does not say it.')
      .meta({ examples: [EXAMPLE] }),
    unsure: z
      .array(fieldName())
      .max(50)
      .refine(areDistinct, rule('unique:fields'))
      .default([])
      .describe('Fields whose right answer the reviewer does not know. They do not count in the accuracy.'),
    summary_text: text({ min: 1, max: LIMITS.summary })
      .nullish()
      .describe("A corrected summary; null: the model's summary is not corrected."),
    note: text({ min: 1, max: 2_000 }).nullish(),
    turn_notes: z
      .array(z.strictObject({ turn: z.int().min(0), text: text({ min: 1, max: LIMITS.turnNote }) }))
      .max(50)
      .default([])
      .describe('Notes about turns, by their index in `conversation`.'),
    sampled: z
      .boolean()
      .default(false)
      .describe(
        'true: the session comes from a random sample (`review=unsampled&sort=random`, without a filter by result). Only these ' +
          'reviews count in the accuracy. Once true, it stays true. It stays false for a session without speech.',
      ),
  },
  'At most 64 KiB as JSON. The answers are not redacted: do not write personal data into the review of a redacted conversation.',
);
export type ReviewInput = z.output<typeof ReviewInputSchema>;

const ReviewMarkSchema = responseObject('ReviewMark', {
  title: fieldTitle(),
  mark: openEnum(MARKS).describe('`missed`: only the reviewer has a value. `invented`: only the model has one.'),
  quotes: openEnum(QUOTE_STATES).describe("Whether the quotes of the model's value were found; `none`: no quotes."),
});
export type ReviewMark = z.output<typeof ReviewMarkSchema>;

const given = {
  answers: z.record(z.string(), FieldValueSchema.nullable()).meta({ examples: [EXAMPLE] }),
  unsure: z.array(z.string()),
  summary_text: z.string().nullable(),
  note: z.string().nullable(),
  turn_notes: z.array(z.object({ turn: z.int(), text: z.string() })),
  sampled: z.boolean(),
  reviewed_by: z
    .string()
    .nullable()
    .describe('ID of the user (`user_…`) or API token (`key_…`); null: no review.')
    .meta({ examples: ['user_01kaj4v5rzf1xtm8w3b2c9d0e7'] }),
  reviewed_at: timestamp().nullable().describe('null: no review.'),
};

const ReviewStateSchema = responseObject('ReviewState', given);
export type ReviewState = z.output<typeof ReviewStateSchema>;

export const ReviewSchema = responseObject('Review', {
  session_id: typeId('sess'),
  ...given,
  marks: z
    .record(z.string(), ReviewMarkSchema)
    .describe("The model's value of each reviewed field, compared with the right answer."),
  history: z
    .array(ReviewStateSchema)
    .describe(
      'Up to ten previous states of up to 256 KiB in all, newest first. What one person saves in a row is one state.',
    ),
});
export type Review = z.output<typeof ReviewSchema>;

export const ReviewDetailsSchema = ReviewSchema.pick({ summary_text: true, note: true, turn_notes: true }).meta({
  id: 'ReviewDetails',
  description: 'In exports with `include=review`: the corrected summary and the notes; null: not reviewed.',
});

/** A review as a part of its session. */
export const SessionReviewSchema = responseObject('SessionReview', {
  reviewed_at: timestamp(),
  reviewed_by: z.string(),
  sampled: z.boolean(),
  corrected: z.array(z.string()).describe("Fields whose right answer is not the model's value."),
  unsure: z.array(z.string()),
  has_summary: z.boolean().describe('true: the summary was corrected.'),
  notes: z.int().describe('Number of notes.'),
});
export type SessionReview = z.output<typeof SessionReviewSchema>;

export const getSessionReview = endpoint('getSessionReview', 'get /v1/sessions/{id}/review', {
  summary: 'Retrieve the review of a session',
  description: 'Without a review, `reviewed_at` is null; its `ETag` lets the first writer use `If-Match`.',
  scope: 'sessions:read',
  params,
  etag: true,
  answers: { 200: ReviewSchema },
});

const written = { params, headers: z.object({ 'if-match': ifMatch() }), etag: true } as const;

export const putSessionReview = endpoint('putSessionReview', 'put /v1/sessions/{id}/review', {
  summary: 'Review a session',
  description:
    'Replaces the review of a completed session. The result of the model does not change. Reanalyses have no review of their ' +
    'own: the review of the original also judges them.',
  scope: 'reviews:write',
  ...written,
  body: ReviewInputSchema,
  answers: { 200: ReviewSchema },
  errors: ['conflict', 'precondition_failed', 'quota_exceeded'],
  audit: {
    action: 'session_reviewed',
    details: ({ body }, { sampled }) => ({
      answers: [...Object.keys(body.answers), ...body.unsure].join(', '),
      sampled: String(sampled),
    }),
  },
});

export const deleteSessionReview = endpoint('deleteSessionReview', 'delete /v1/sessions/{id}/review', {
  summary: 'Delete the review of a session',
  description:
    'Deletes the history, too. While a second opinion differs, only the two reviewers and owners can delete the review.',
  scope: 'reviews:write',
  params,
  headers: z.object({ 'if-match': ifMatch() }),
  answers: { 204: null },
  errors: ['conflict', 'precondition_failed'],
  audit: { action: 'review_deleted' },
});
