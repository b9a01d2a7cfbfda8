/** Second opinions: another person answers the questions of a reviewed session without seeing the first answers. docs/reviews.md. */
import { z } from 'zod';
import { endpointsOf } from '../values/endpoint.ts';
import { requestObject, responseObject, timestamp, typeId } from '../values/schemas.ts';
import { ReviewInputSchema, ReviewSchema } from './reviews.ts';

const endpoint = endpointsOf('Sessions');

const params = z.object({ id: typeId('sess') });

const OpinionInputSchema = requestObject('OpinionInput', {
  answers: ReviewInputSchema.shape.answers,
  unsure: ReviewInputSchema.shape.unsure,
  sampled: z
    .boolean()
    .default(false)
    .describe('true: the session comes from `review=single&sort=random`. Only these opinions count in the agreement.'),
});
export type OpinionInput = z.output<typeof OpinionInputSchema>;

const OpinionSchema = responseObject('Opinion', {
  ...ReviewSchema.pick({ answers: true, unsure: true }).shape,
  reviewed_by: z.string().describe('ID of the user (`user_…`) or API token (`key_…`).'),
  reviewed_at: timestamp(),
});
export type Opinion = z.output<typeof OpinionSchema>;

const SecondOpinionSchema = responseObject('SecondOpinion', {
  session_id: typeId('sess'),
  first: OpinionSchema.nullable().describe('The review when the second opinion was given; null: there is none yet.'),
  second: OpinionSchema.nullable(),
  differing: z.array(z.string()).describe('Fields that both people answered, and differently.'),
  decided_by: z.string().nullable().describe('Who decided where they differ; null: nobody yet.'),
});
export type SecondOpinion = z.output<typeof SecondOpinionSchema>;

export const getSecondOpinion = endpoint('getSecondOpinion', 'get /v1/sessions/{id}/second-opinion', {
  summary: 'Retrieve the second opinion on a session',
  description: 'Both opinions, with their authors. Until the second one is given, this does not show the first.',
  scope: 'sessions:read',
  params,
  answers: { 200: SecondOpinionSchema },
});

export const putSecondOpinion = endpoint('putSecondOpinion', 'put /v1/sessions/{id}/second-opinion', {
  summary: 'Give a second opinion on a session',
  description:
    'Only somebody else than the reviewer can give it, once, because it would not be independent after both are shown. The ' +
    'review does not change.',
  scope: 'reviews:write',
  params,
  body: OpinionInputSchema,
  answers: { 200: SecondOpinionSchema },
  errors: ['conflict', 'quota_exceeded'],
  audit: {
    action: 'session_reviewed',
    details: ({ body }) => ({ answers: [...Object.keys(body.answers), ...body.unsure].join(', '), opinion: 'second' }),
  },
});

export const decideSecondOpinion = endpoint('decideSecondOpinion', 'post /v1/sessions/{id}/second-opinion/decision', {
  summary: 'Decide where two reviewers differ',
  description:
    'One of the two reviewers or an owner chooses whose answers count. They become the answers of the review.',
  scope: 'reviews:write',
  params,
  body: requestObject('OpinionDecision', {
    answers: z
      .record(z.string(), z.enum(['first', 'second']))
      .describe('Whose answer counts, for each field in `differing`.')
      .meta({ examples: [{ resolved: 'second' }] }),
  }),
  answers: { 200: SecondOpinionSchema },
  errors: ['conflict'],
  audit: {
    action: 'session_reviewed',
    details: ({ body }) => ({ answers: Object.keys(body.answers).join(', '), opinion: 'decision' }),
  },
});
