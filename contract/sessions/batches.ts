/** One action over all sessions of a filter: docs/decisions.md, "Batches". */
import { LIMITS } from '../values/limits.ts';
import { z } from 'zod';
import type { FieldFault } from '../errors/field-errors.ts';
import { ruleIssue } from '../errors/rule.ts';
import { analysisOverrides } from '../assistants/assistant-schemas.ts';
import { BATCH_ACTIONS, BATCH_HOLDS, BATCH_STATUSES } from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  idList,
  listOf,
  metadataPairs,
  moment,
  openEnum,
  pageQuery,
  requestObject,
  responseObject,
  text,
  timestamp,
  typeId,
  usd,
} from '../values/schemas.ts';
import { idempotencyKey } from './requests.ts';
import { sessionFilterQuery } from './session-filter.ts';
import { ANALYSIS_SETTINGS } from '../assistants/settings.ts';
import { VersionedSettingsSchema } from '../assistants/versioned-settings.ts';

const endpoint = endpointsOf('Batches');

/** The filters of the session list as JSON values. */
const BatchFilterSchema = requestObject(
  'BatchFilter',
  {
    ...sessionFilterQuery,
    session_id: idList('sess').optional().describe('Only these sessions.'),
    delivery_id: idList('dlv').optional().describe('`redeliver` only: only these deliveries.'),
    // Without examples, because the example of a batch is a reanalysis.
    delivery_ended_after: moment([])
      .optional()
      .describe(
        '`redeliver` only: only deliveries whose last attempt ended at or after this time, such as the start of an outage.',
      ),
    delivery_ended_before: moment([]).optional().describe('`redeliver` only: the end of this period, exclusive.'),
    simulated: z.boolean().optional(),
    trial: z.boolean().optional(),
    reanalysis: z.boolean().optional().describe('true: only reanalyses and trials. false: only originals.'),
    metadata: metadataPairs().optional().describe('Only sessions whose metadata contains all of these pairs.'),
    min_cost: z.number().min(0).max(1e9).optional().describe('Minimum `total_cost` in US dollars.'),
    assistant_version: z.int().min(1).max(999_999_999).optional().describe('Requires `assistant_id`.'),
  },
  'The filters of `GET /v1/sessions`. Only sessions that match all of them. For `redeliver`, `delivery_status` is the status of ' +
    'the deliveries to redeliver, alerts included.',
);
export type BatchFilter = z.output<typeof BatchFilterSchema>;

const maxCost = () =>
  usd()
    .max(1e9)
    .meta({ examples: [25] });

const BatchInputSchema = z
  .strictObject({
    name: text({ min: 1, max: LIMITS.name })
      .optional()
      .meta({ examples: ['Shorter prompt, October'] }),
    action: z
      .enum(BATCH_ACTIONS)
      .describe(
        '`reanalyze`: creates a new session for each finished original; reanalyses are skipped. `retry`: retries failed ' +
          'sessions whose error is retryable. `delete`: deletes the sessions. `redeliver`: sends the payloads of their ended deliveries ' +
          'again, five per second, at most 100 at once. Deliveries that were redelivered before are skipped. `cancel`: cancels unfinished ' +
          'sessions, such as those that wait for a provider (`waiting_for`). `score`: computes the scores of completed sessions again, with the ' +
          'points that the assistant has now, without a call to a model, webhook or alert. `analyze`: creates a follow-up of `assistant_id` for each finished ' +
          'original that has none of it.',
      ),
    filter: BatchFilterSchema,
    assistant_id: typeId('asst')
      .meta({ examples: [] })
      .optional()
      .describe('`analyze` only, and required: the assistant of the follow-ups. Requires the scope `requests:write`.'),
    overrides: z
      .strictObject(analysisOverrides())
      .optional()
      .describe('`reanalyze` only: settings that replace those of the assistant.'),
    version: z
      .int()
      .min(1)
      .optional()
      .describe('`reanalyze` only: version of the assistant whose settings are used.')
      .meta({ examples: [2] }),
    economy: z
      .boolean()
      .optional()
      .describe(
        '`reanalyze` and `analyze` only: true: half the price where the provider sells it, as `economy` of an assistant.',
      ),
    max_cost_usd: maxCost()
      .optional()
      .describe(
        'Cost limit in US dollars; only for `reanalyze`, `retry` and `analyze`. The batch pauses if the next session might exceed it, based on the cost of the previous sessions.',
      ),
    notify: z
      .boolean()
      .default(false)
      .describe('true: the sessions send webhooks. No effect on `redeliver` and `score`.'),
    dry_run: z
      .boolean()
      .default(false)
      .describe(
        'true: returns the number of sessions or deliveries and an estimate of the cost with 200, and starts nothing.',
      ),
  })
  .superRefine(({ action, filter, assistant_id, overrides, version, economy, max_cost_usd }, context) => {
    const refuse = (path: PropertyKey[], ...fault: FieldFault) => context.addIssue(ruleIssue(path, ...fault));
    if ((action === 'reanalyze' || action === 'score') && filter.assistant_id === undefined) {
      const purpose = `${action}, because a batch uses the settings of one assistant`;
      refuse(['filter', 'assistant_id'], 'required:to', { purpose });
    }
    if (action === 'delete' && Object.keys(filter).length === 0)
      refuse(['filter'], 'empty:because', { reason: 'the batch would delete all sessions' });
    if (action === 'cancel' && Object.keys(filter).length === 0)
      refuse(['filter'], 'empty:because', { reason: 'the batch would cancel all sessions' });
    const { delivery_id, delivery_status } = filter;
    if (action === 'redeliver' && (delivery_id ?? filter.session_id ?? delivery_status) === undefined) {
      const purpose = 'redeliver, unless the filter has `delivery_id` or `session_id`';
      refuse(['filter', 'delivery_status'], 'required:to', { purpose });
    }
    if (action === 'redeliver' && delivery_status === 'pending') refuse(['filter', 'delivery_status'], 'ended_only');
    for (const name of ['delivery_id', 'delivery_ended_after', 'delivery_ended_before'] as const)
      if (action !== 'redeliver' && filter[name] !== undefined)
        refuse(['filter', name], 'only_for:a', { other: 'redelivery takes deliveries' });
    const chosen = { overrides, version, economy: action !== 'analyze' && economy };
    for (const [name, given] of Object.entries(chosen))
      if (action !== 'reanalyze' && given) refuse([name], 'only_for:a', { other: 'reanalysis takes settings' });
    if (action === 'analyze' && assistant_id === undefined)
      refuse(['assistant_id'], 'required:to', { purpose: 'analyze' });
    if (action !== 'analyze' && assistant_id !== undefined)
      refuse(['assistant_id'], 'only_for:a', { other: 'follow-up has another assistant' });
    if (action !== 'reanalyze' && action !== 'retry' && action !== 'analyze' && max_cost_usd !== undefined)
      refuse(['max_cost_usd'], 'only_for:paid');
    if (overrides && version !== undefined) refuse(['version'], 'combined', { other: 'overrides' });
  })
  .meta({ id: 'BatchInput' });
export type BatchInput = z.output<typeof BatchInputSchema>;

const receivers = () =>
  z
    .array(z.object({ host: z.string().meta({ examples: ['crm.example.com'] }), deliveries: z.int() }))
    .nullable()
    .describe(
      '`redeliver` only: the hosts that receive the deliveries, most deliveries first, at most 10; otherwise null.',
    );
export type BatchReceivers = NonNullable<z.output<ReturnType<typeof receivers>>>;

const BatchEstimateSchema = responseObject('BatchEstimate', {
  dry_run: z.literal(true),
  total: z.int().describe('Number of sessions that the batch would process, or of deliveries that it would redeliver.'),
  expected_cost_usd: usd()
    .nullable()
    .describe("Based on the usage of the same conversations or of the assistant's other sessions; null: unknown."),
  max_cost_usd: usd()
    .nullable()
    .describe('Assumes the 95th percentile of output length and two calls per session; null: unknown.'),
  economy_cost_usd: usd()
    .nullable()
    .optional()
    .describe('With economy: `expected_cost_usd` if every call is served at half price; null: unknown.'),
  sampled: z.boolean().describe('true: estimated from a sample.'),
  receivers: receivers(),
});
export type BatchEstimate = z.output<typeof BatchEstimateSchema>;

/** The items of a list do not include the overrides: prompts are long. */
export const BatchSummarySchema = responseObject('BatchSummary', {
  batch_id: typeId('bat'),
  name: z.string().nullable(),
  action: openEnum(BATCH_ACTIONS),
  filter: z.record(z.string(), z.unknown()).meta({ id: 'RequestedFilter', description: 'The filter of the request.' }),
  assistant_id: typeId('asst').optional().describe('Of `analyze`: the assistant of the follow-ups.'),
  assistant_version: z
    .int()
    .nullable()
    .describe('The assistant version whose settings the reanalysis uses, or whose points; null: other settings.'),
  differs: z
    .array(openEnum(ANALYSIS_SETTINGS))
    .nullable()
    .describe(
      'The settings of the reanalysis that differ from those that the assistant has now. Empty: the assistant uses these settings. ' +
        'null: not a reanalysis, or the assistant was deleted.',
    ),
  notify: z.boolean(),
  status: openEnum(BATCH_STATUSES),
  held_by: openEnum(BATCH_HOLDS)
    .nullable()
    .describe(
      'Why the batch is paused. `budget`: the monthly budget is reached; the batch continues when it is raised or the month ' +
        'ends. `max_cost`: the next session might exceed `max_cost_usd`; raise it to continue. null: not paused.',
    ),
  max_cost_usd: usd().nullable().describe('null: no limit.'),
  economy: z.boolean().optional().describe('Absent: false.'),
  total: z
    .int()
    .describe('Number of sessions, or of deliveries to redeliver, that matched the filter when the batch was created.'),
  remaining: z
    .int()
    .describe(
      'Sessions or deliveries that have not started. In an ended batch: sessions that were deleted before, or that a cancellation skipped.',
    ),
  running: z.int(),
  completed: z.int(),
  failed: z.int(),
  canceled: z.int().describe('Sessions that were canceled or deleted before they ended; stopped deliveries.'),
  cost_usd: usd().describe('Cost of the ended sessions, without calls of unknown price.'),
  created_at: timestamp(),
  ended_at: timestamp().nullable(),
});
export type BatchSummary = z.output<typeof BatchSummarySchema>;

export const BatchSchema = responseObject('Batch', {
  ...BatchSummarySchema.shape,
  receivers: receivers(),
  overrides: VersionedSettingsSchema.pick(
    Object.fromEntries(ANALYSIS_SETTINGS.map((name) => [name, true])) as Record<
      (typeof ANALYSIS_SETTINGS)[number],
      true
    >,
  )
    .partial()
    .meta({ id: 'BatchOverrides' })
    .nullable()
    .describe('The overrides of the request; null: none.'),
});
export type Batch = z.output<typeof BatchSchema>;

export const createBatch = endpoint('createBatch', 'post /v1/batches', {
  summary: 'Create a batch',
  description:
    'Reanalyzes, retries, cancels, deletes, redelivers, scores or analyzes with another assistant all sessions that match a filter, a few at a time. Each session is processed once.',
  scope: 'sessions:write',
  headers: z.object({ 'idempotency-key': idempotencyKey() }),
  body: BatchInputSchema,
  answers: { 202: BatchSchema, 200: BatchEstimateSchema },
  location: '/v1/batches/{batch_id}',
  errors: ['quota_exceeded', 'idempotency_key_reused'],
  audit: {
    action: 'batch_created',
    when: (_request, answer) => 'batch_id' in answer,
    object: (_request, answer) => ('batch_id' in answer ? answer.batch_id : undefined),
    details: ({ body }, { total }) => ({ action: body.action, total }),
  },
});

export const listBatches = endpoint('listBatches', 'get /v1/batches', {
  summary: 'List batches',
  description: 'Newest first. Items do not contain `overrides` and `receivers`.',
  scope: 'sessions:read',
  query: z.strictObject({
    status: z.enum(BATCH_STATUSES).optional(),
    action: z.enum(BATCH_ACTIONS).optional(),
    assistant_id: typeId('asst').optional().describe('Only batches whose filter names this assistant.'),
    ...pageQuery('bat'),
  }),
  answers: { 200: listOf(BatchSummarySchema).meta({ id: 'BatchList' }) },
});

const params = z.object({ id: typeId('bat') });

export const getBatch = endpoint('getBatch', 'get /v1/batches/{id}', {
  summary: 'Retrieve a batch',
  description:
    'Its sessions: `GET /v1/sessions?batch_id=`. The deliveries of a redelivery: `GET /v1/deliveries?batch_id=`.',
  scope: 'sessions:read',
  params,
  answers: { 200: BatchSchema },
});

export const updateBatch = endpoint('updateBatch', 'patch /v1/batches/{id}', {
  summary: 'Update the cost limit of a running batch',
  scope: 'sessions:write',
  params,
  body: requestObject('BatchChange', { max_cost_usd: maxCost().nullable().describe('null: no limit.') }),
  answers: { 200: BatchSchema },
  errors: ['conflict'],
  audit: { action: 'batch_changed', details: ({ body: { max_cost_usd } }) => ({ max_cost_usd }) },
});

export const cancelBatch = endpoint('cancelBatch', 'post /v1/batches/{id}/cancel', {
  summary: 'Cancel a batch',
  description: 'No more sessions or deliveries start. Those that have started continue.',
  scope: 'sessions:write',
  params,
  answers: { 200: BatchSchema },
  errors: ['conflict'],
  audit: { action: 'batch_canceled' },
});
