/** One action over all sessions of a filter: docs/decisions.md, "Batches". */
import { z } from 'zod';
import { BATCH_ACTIONS, BATCH_HOLDS, BATCH_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, metadataPairs, openEnum, pageQuery, timestamp, typeId, usd } from './fields.ts';
import { idempotencyKey } from './requests.ts';
import { analysisOverrides } from './session-operations.ts';
import { sessionFilterQuery } from './session-filter.ts';

/** The filters of the list of sessions, as JSON says them. */
const BatchFilterSchema = z
  .strictObject({
    ...sessionFilterQuery,
    simulated: z.boolean().optional(),
    trial: z.boolean().optional(),
    metadata: metadataPairs().optional().describe('Pairs that the metadata has to have.'),
    min_cost: z.number().min(0).max(1e9).optional().describe('Least `total_cost`, in US dollars.'),
    assistant_version: z.int().min(1).max(999_999_999).optional().describe('Needs `assistant_id`.'),
  })
  .meta({ id: 'BatchFilter', description: 'The filters of `GET /v1/sessions`: all of them must hold.' });

export type BatchFilter = z.output<typeof BatchFilterSchema>;

const maxCost = () =>
  usd()
    .max(1e9)
    .meta({ examples: [25] });

const BatchInputSchema = z
  .strictObject({
    action: z
      .enum(BATCH_ACTIONS)
      .describe(
        '`reanalyze`: a new session over the conversation of each that has ended and is no reanalysis itself. `retry`: ' +
          'run again what failed in a way that may pass. `delete`: as `DELETE /v1/sessions/{id}`.',
      ),
    filter: BatchFilterSchema,
    overrides: z
      .strictObject(analysisOverrides())
      .optional()
      .describe("`reanalyze` only: settings in the place of the assistant's own."),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('`reanalyze` only: the settings of this version of the assistant.')
      .meta({ examples: [2] }),
    max_cost_usd: maxCost()
      .optional()
      .describe('Not to `delete`: no more sessions are begun than it pays for, at what those before them cost.'),
    notify: z.boolean().default(false).describe('true: webhooks are sent as for any session.'),
    dry_run: z.boolean().default(false).describe('true: nothing is begun; 200 says how many and what it would cost.'),
  })
  .superRefine(({ action, filter, overrides, version, max_cost_usd }, context) => {
    const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (action === 'reanalyze' && filter.assistant_id === undefined) {
      refuse(['filter', 'assistant_id'], 'is required to reanalyze: the settings are of one assistant');
    }
    if (action === 'delete' && Object.keys(filter).length === 0) refuse(['filter'], 'must not be empty to delete');
    if (action !== 'reanalyze' && overrides) refuse(['overrides'], 'only a reanalysis takes settings');
    if (action !== 'reanalyze' && version !== undefined) refuse(['version'], 'only a reanalysis takes a version');
    if (action === 'delete' && max_cost_usd !== undefined) refuse(['max_cost_usd'], 'a deletion costs nothing');
    if (overrides && version !== undefined) refuse(['version'], 'and overrides exclude each other');
  })
  .meta({ id: 'BatchInput' });

export type BatchInput = z.output<typeof BatchInputSchema>;

const BatchEstimateSchema = z
  .object({
    dry_run: z.literal(true),
    total: z.int().describe('Sessions that it would do.'),
    expected_cost_usd: usd()
      .nullable()
      .describe('From what the same conversations used before, or others of their assistant; null: that is not known.'),
    max_cost_usd: usd()
      .nullable()
      .describe('If each answer is as long as the longest twentieth, and each is asked for twice; null: not known.'),
    sampled: z.boolean().describe('true: reckoned from some of the sessions.'),
  })
  .meta({ id: 'BatchEstimate' });

export type BatchEstimate = z.output<typeof BatchEstimateSchema>;

const BatchSchema = z
  .object({
    batch_id: typeId('bat'),
    action: openEnum(BATCH_ACTIONS),
    filter: z.record(z.string(), z.unknown()).describe('As it was asked for.'),
    assistant_version: z.int().nullable().describe('Whose settings a reanalysis has; null: it has others.'),
    notify: z.boolean(),
    status: openEnum(BATCH_STATUSES),
    held_by: openEnum(BATCH_HOLDS)
      .nullable()
      .describe(
        'Why nothing more is begun at present. `budget`: the monthly budget is used up; it goes on by itself. `max_cost`: ' +
          'the next session might pass `max_cost_usd`; it goes on when that is raised.',
      ),
    max_cost_usd: usd().nullable().describe('null: as much as it takes.'),
    total: z.int().describe('Sessions that matched when it was asked for.'),
    remaining: z
      .int()
      .describe('Not begun; of a batch that has ended: never begun, for they were gone or it was canceled.'),
    running: z.int(),
    completed: z.int(),
    failed: z.int(),
    canceled: z.int().describe('Canceled, or deleted before their end.'),
    cost_usd: usd().describe('Of what has ended, as far as prices are known.'),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
  })
  .meta({ id: 'Batch' });

export type Batch = z.output<typeof BatchSchema>;

export const createBatch = endpoint({
  operationId: 'createBatch',
  method: 'post',
  path: '/v1/batches',
  summary: 'Reanalyze, retry or delete all sessions of a filter, a few at a time; none is done twice',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:write',
  headers: z.object({ 'idempotency-key': idempotencyKey() }),
  body: BatchInputSchema,
  answers: { 202: BatchSchema, 200: BatchEstimateSchema },
  location: '/v1/batches/{batch_id}',
  errors: ['quota_exceeded', 'idempotency_key_reused'],
});

export const listBatches = endpoint({
  operationId: 'listBatches',
  method: 'get',
  path: '/v1/batches',
  summary: 'Batches, newest first',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:read',
  query: z.strictObject({ status: z.enum(BATCH_STATUSES).optional(), ...pageQuery('bat') }),
  answers: { 200: listOf(BatchSchema).meta({ id: 'BatchList' }) },
});

const params = z.object({ id: typeId('bat') });

export const getBatch = endpoint({
  operationId: 'getBatch',
  method: 'get',
  path: '/v1/batches/{id}',
  summary: 'How far a batch is',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:read',
  params,
  answers: { 200: BatchSchema },
});

export const updateBatch = endpoint({
  operationId: 'updateBatch',
  method: 'patch',
  path: '/v1/batches/{id}',
  summary: 'Change what a batch may cost while it runs',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  body: z
    .strictObject({ max_cost_usd: maxCost().nullable().describe('null: as much as it takes.') })
    .meta({ id: 'BatchChange' }),
  answers: { 200: BatchSchema },
  errors: ['conflict'],
});

export const cancelBatch = endpoint({
  operationId: 'cancelBatch',
  method: 'post',
  path: '/v1/batches/{id}/cancel',
  summary: 'Begin no more of a batch; what was begun ends',
  tag: 'Batches',
  auth: 'bearer',
  scope: 'sessions:write',
  params,
  answers: { 200: BatchSchema },
  errors: ['conflict'],
});
