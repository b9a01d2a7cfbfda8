/** Redelivery of many deliveries as one run with progress: docs/decisions.md, "Deliveries". */
import { z } from 'zod';
import { REDELIVERY_STATUSES } from '../values/constants.ts';
import { audited, endpointsOf } from '../values/endpoint.ts';
import {
  createdQuery,
  idList,
  listOf,
  openEnum,
  pageQuery,
  requestObject,
  responseObject,
  timestamp,
  typeId,
} from '../values/fields.ts';

const endpoint = endpointsOf('Deliveries');

const REDELIVERED_STATUSES = ['failed', 'stopped'] as const;

const RedeliveryInputSchema = requestObject('RedeliveryInput', {
  delivery_id: idList('dlv').optional().describe('Only these deliveries.'),
  status: z
    .enum(REDELIVERED_STATUSES)
    .optional()
    .describe(
      'Status of the deliveries to redeliver. Default: `failed`, or with `delivery_id` all deliveries that have ended.',
    ),
  assistant_id: typeId('asst').optional(),
  ...createdQuery(),
  dry_run: z.boolean().default(false).describe('true: returns a preview with 200 and sends nothing.'),
});

const RedeliveryPreviewSchema = responseObject('RedeliveryPreview', {
  total: z.int().describe('Number of deliveries that would be redelivered.'),
  oldest: timestamp().nullable().describe('Creation time of the oldest of these deliveries; null: there are none.'),
  newest: timestamp().nullable(),
  by_assistant: z
    .array(z.object({ assistant_id: typeId('asst'), total: z.int() }))
    .describe('Sorted by number of deliveries, highest first.'),
});
export type RedeliveryPreview = z.output<typeof RedeliveryPreviewSchema>;

export const RedeliverySchema = responseObject('Redelivery', {
  redelivery_id: typeId('rdl'),
  filter: z.object({
    delivery_id: z.array(z.string()).optional(),
    status: openEnum(REDELIVERED_STATUSES).optional().describe('Absent: any status.'),
    assistant_id: z.string().optional(),
    created_after: z.string().optional(),
    created_before: z.string().optional(),
  }),
  status: openEnum(REDELIVERY_STATUSES).describe('`completed`: all new deliveries have ended.'),
  total: z.int().describe('Number of deliveries that matched when the redelivery was created.'),
  started: z.int().describe('Number of new deliveries so far: the sum of the next four properties.'),
  pending: z.int(),
  delivered: z.int(),
  failed: z.int(),
  stopped: z.int(),
  created_at: timestamp(),
  ended_at: timestamp().nullable(),
});
export type Redelivery = z.output<typeof RedeliverySchema>;

export const redeliverMany = audited(
  endpoint('redeliverMany', 'post /v1/deliveries/redeliver', {
    summary: 'Redeliver many deliveries',
    description:
      'Sends the payloads of ended deliveries again, a few per second. Each delivery is redelivered at most once.',
    scope: 'webhooks:write',
    body: RedeliveryInputSchema,
    answers: { 202: RedeliverySchema, 200: RedeliveryPreviewSchema },
    location: '/v1/redeliveries/{redelivery_id}',
  }),
  {
    action: 'redelivery_created',
    when: (_request, answer) => 'redelivery_id' in answer,
    object: (_request, answer) => ('redelivery_id' in answer ? answer.redelivery_id : undefined),
    details: (_request, { total }) => ({ total }),
  },
);

export const listRedeliveries = endpoint('listRedeliveries', 'get /v1/redeliveries', {
  summary: 'List redeliveries',
  description: 'Newest first.',
  scope: 'webhooks:read',
  query: z.strictObject({ status: z.enum(REDELIVERY_STATUSES).optional(), ...pageQuery('rdl') }),
  answers: { 200: listOf(RedeliverySchema).meta({ id: 'RedeliveryList' }) },
});

const params = z.object({ id: typeId('rdl') });

export const getRedelivery = endpoint('getRedelivery', 'get /v1/redeliveries/{id}', {
  summary: 'Retrieve a redelivery',
  scope: 'webhooks:read',
  params,
  answers: { 200: RedeliverySchema },
});

export const cancelRedelivery = endpoint('cancelRedelivery', 'post /v1/redeliveries/{id}/cancel', {
  summary: 'Cancel a redelivery',
  description: 'No more deliveries start. Deliveries that have started continue.',
  scope: 'webhooks:write',
  params,
  answers: { 200: RedeliverySchema },
  errors: ['conflict'],
});
