/** Many deliveries made again, as one run with a progress: docs/decisions.md, "Deliveries". */
import { z } from 'zod';
import { REDELIVERY_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, moment, openEnum, pageQuery, timestamp, typeId } from './fields.ts';

const REDELIVERED_STATUSES = ['failed', 'stopped'] as const;

const RedeliveryInputSchema = z
  .strictObject({
    status: z.enum(REDELIVERED_STATUSES).default('failed').describe('Deliveries that ended like this are made again.'),
    assistant_id: typeId('asst').optional(),
    created_after: moment().optional().describe('Deliveries from this moment on.'),
    created_before: moment().optional().describe('Deliveries before this moment.'),
    dry_run: z.boolean().default(false).describe('true: nothing is sent; the answer says what would be.'),
  })
  .meta({ id: 'RedeliveryInput' });

const RedeliveryPreviewSchema = z
  .object({
    total: z.int().describe('Deliveries that would be made again.'),
    oldest: timestamp().nullable().describe('When the first of them was made; null: there is none.'),
    newest: timestamp().nullable(),
    by_assistant: z.array(z.object({ assistant_id: typeId('asst'), total: z.int() })).describe('The most first.'),
  })
  .meta({ id: 'RedeliveryPreview' });

export type RedeliveryPreview = z.output<typeof RedeliveryPreviewSchema>;

export const RedeliverySchema = z
  .object({
    redelivery_id: typeId('rdl'),
    filter: z.object({
      status: openEnum(REDELIVERED_STATUSES),
      assistant_id: z.string().optional(),
      created_after: z.string().optional(),
      created_before: z.string().optional(),
    }),
    status: openEnum(REDELIVERY_STATUSES).describe(
      '`completed`: every delivery was made again, and all of the new ones have ended.',
    ),
    total: z.int().describe('Deliveries that matched when it was asked for.'),
    started: z.int().describe('Deliveries that were made again so far: the sum of the next four.'),
    pending: z.int(),
    delivered: z.int(),
    failed: z.int(),
    stopped: z.int(),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
  })
  .meta({ id: 'Redelivery' });

export type Redelivery = z.output<typeof RedeliverySchema>;

export const redeliverMany = endpoint({
  operationId: 'redeliverMany',
  method: 'post',
  path: '/v1/deliveries/redeliver',
  summary: 'Send the payloads of many ended deliveries again, a few per second; none is sent twice',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  body: RedeliveryInputSchema,
  answers: { 202: RedeliverySchema, 200: RedeliveryPreviewSchema },
  location: '/v1/redeliveries/{redelivery_id}',
});

export const listRedeliveries = endpoint({
  operationId: 'listRedeliveries',
  method: 'get',
  path: '/v1/redeliveries',
  summary: 'Redeliveries of many, newest first',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:read',
  query: z.strictObject({ status: z.enum(REDELIVERY_STATUSES).optional(), ...pageQuery('rdl') }),
  answers: { 200: listOf(RedeliverySchema).meta({ id: 'RedeliveryList' }) },
});

const params = z.object({ id: typeId('rdl') });

export const getRedelivery = endpoint({
  operationId: 'getRedelivery',
  method: 'get',
  path: '/v1/redeliveries/{id}',
  summary: 'How far a redelivery of many is',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:read',
  params,
  answers: { 200: RedeliverySchema },
});

export const cancelRedelivery = endpoint({
  operationId: 'cancelRedelivery',
  method: 'post',
  path: '/v1/redeliveries/{id}/cancel',
  summary: 'Start no more of a redelivery of many; deliveries that were started go on',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  params,
  answers: { 200: RedeliverySchema },
  errors: ['conflict'],
});
