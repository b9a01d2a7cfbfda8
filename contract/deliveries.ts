/** Webhook deliveries and their attempts: spec §6; additions: docs/decisions.md, "Deliveries". */
import { z } from 'zod';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, STOP_REASONS, WEBHOOK_EVENTS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, moment, openEnum, pageQuery, timestamp, typeId } from './fields.ts';
import { SessionErrorSchema } from './sessions.ts';

const headers = () => z.record(z.string(), z.string());

const AttemptSchema = z
  .object({
    attempt: z.int().min(1),
    started_at: timestamp(),
    duration_ms: z.int().nullable().describe('null while the attempt runs, or when its worker was lost.'),
    outcome: openEnum(['succeeded', 'failed']).nullable().describe('null while the attempt runs.'),
    failure: openEnum(DELIVERY_FAILURES).nullable(),
    status_code: z.int().nullable(),
    url: z.string(),
    request_headers: headers().describe('As sent, secrets masked.'),
    response_headers: headers().nullable(),
    response_body: z.string().nullable().describe('The first 16 KiB.'),
    response_truncated: z.boolean(),
    next_attempt_at: timestamp().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

export const DeliverySchema = z
  .object({
    delivery_id: typeId('dlv'),
    session_id: typeId('sess').nullable().describe('null: a test, which has no session.'),
    assistant_id: typeId('asst'),
    event: openEnum(WEBHOOK_EVENTS),
    status: openEnum(DELIVERY_STATUSES),
    stop_reason: openEnum(STOP_REASONS).nullable(),
    created_at: timestamp(),
    ended_at: timestamp().nullable(),
    next_attempt_at: timestamp().nullable(),
    overdue: z
      .boolean()
      .describe(
        'Whether the next attempt is over 30 s late: its turn has not come, or no worker goes on with the delivery.',
      ),
    replayed_from: typeId('dlv').nullable().describe('The delivery whose payload this one sends again.'),
    redelivery_id: typeId('rdl').nullable().describe('The redelivery of many that made it.'),
    workflow_id: z.union([typeId('sess'), typeId('dlv')]).describe('The workflow in Temporal that delivers it.'),
    attempts: z.array(AttemptSchema),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.output<typeof DeliverySchema>;

const DeliveryDetailSchema = DeliverySchema.extend({
  payload: z.string().describe('The body of every attempt, byte for byte.'),
}).meta({ id: 'DeliveryDetail' });

export type DeliveryDetail = z.output<typeof DeliveryDetailSchema>;

/** A list of all of a user's would be megabytes with them. */
const DeliveryListItemSchema = DeliverySchema.omit({ attempts: true })
  .extend({
    attempt_count: z.int().describe('Attempts that were begun.'),
    last_attempt: AttemptSchema.pick({ status_code: true, failure: true, duration_ms: true, url: true })
      .nullable()
      .meta({ id: 'LastAttempt', description: 'null: none was begun.' }),
  })
  .meta({ id: 'DeliveryListItem' });

export type DeliveryListItem = z.output<typeof DeliveryListItemSchema>;

export const listDeliveries = endpoint({
  operationId: 'listDeliveries',
  method: 'get',
  path: '/v1/deliveries',
  summary: 'Deliveries of the user, newest first',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:read',
  query: z.strictObject({
    status: z.enum(DELIVERY_STATUSES).optional(),
    assistant_id: typeId('asst').optional(),
    session_id: typeId('sess').optional(),
    event: z.enum(WEBHOOK_EVENTS).optional(),
    failure: z.enum(DELIVERY_FAILURES).optional().describe('Of at least one attempt.'),
    redelivery_id: typeId('rdl').optional(),
    replayed_from: typeId('dlv').optional(),
    created_after: moment().optional().describe('From this moment on.'),
    created_before: moment().optional().describe('Before this moment.'),
    ...pageQuery('dlv'),
  }),
  answers: { 200: listOf(DeliveryListItemSchema).meta({ id: 'DeliveryPage' }) },
});

export const listSessionDeliveries = endpoint({
  operationId: 'listSessionDeliveries',
  method: 'get',
  path: '/v1/sessions/{id}/deliveries',
  summary: 'Deliveries of one session, newest first; all of them unless `limit` is given',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:read',
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject(pageQuery('dlv')),
  answers: { 200: listOf(DeliverySchema).meta({ id: 'DeliveryList' }) },
});

const params = z.object({ id: typeId('dlv') });

export const getDelivery = endpoint({
  operationId: 'getDelivery',
  method: 'get',
  path: '/v1/deliveries/{id}',
  summary: 'One delivery with every attempt and what is sent',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:read',
  params,
  answers: { 200: DeliveryDetailSchema },
});

export const redeliver = endpoint({
  operationId: 'redeliver',
  method: 'post',
  path: '/v1/deliveries/{id}/redeliver',
  summary: 'Send the payload of an ended delivery again, as a new delivery',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  params,
  answers: { 201: DeliverySchema },
  location: '/v1/deliveries/{delivery_id}',
  errors: ['conflict'],
});

export const retryDeliveryNow = endpoint({
  operationId: 'retryDeliveryNow',
  method: 'post',
  path: '/v1/deliveries/{id}/retry-now',
  summary: 'Make the next attempt of a waiting delivery at once',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  params,
  answers: { 202: DeliverySchema },
  errors: ['conflict'],
});

export const stopDelivery = endpoint({
  operationId: 'stopDelivery',
  method: 'post',
  path: '/v1/deliveries/{id}/stop',
  summary: 'Give a pending delivery up; an attempt that is under way ends',
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  params,
  answers: { 200: DeliverySchema },
  errors: ['conflict'],
});

export const testWebhook = endpoint({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/assistants/{id}/webhook/test',
  summary: "Post `webhook.test`, with example values, to the assistant's webhook",
  tag: 'Deliveries',
  auth: 'bearer',
  scope: 'webhooks:write',
  params: z.object({ id: typeId('asst') }),
  answers: { 201: DeliverySchema },
  location: '/v1/deliveries/{delivery_id}',
  errors: ['validation_failed'],
});

const CompletedFields = {
  session_id: typeId('sess'),
  assistant_id: typeId('asst'),
  status: z.literal('completed'),
  summary_text: z.string(),
  raw_response: z.record(z.string(), z.unknown()),
  total_cost: z.number(),
  created_at: timestamp(),
};

/** The body of a webhook, exactly these fields. Spec §6.2. */
export const WebhookPayloadSchema = z
  .strictObject({ event: z.literal('session.completed'), ...CompletedFields })
  .meta({ id: 'WebhookPayload' });

export type WebhookPayload = z.output<typeof WebhookPayloadSchema>;

/** The same fields with values that mean nothing. */
export const TestWebhookPayloadSchema = z
  .strictObject({ event: z.literal('webhook.test'), ...CompletedFields })
  .meta({ id: 'TestWebhookPayload' });

export type TestWebhookPayload = z.output<typeof TestWebhookPayloadSchema>;

/** The same fields, and why there is no result. */
export const FailedWebhookPayloadSchema = z
  .strictObject({
    event: z.literal('session.failed'),
    ...CompletedFields,
    status: z.literal('failed'),
    summary_text: z.null(),
    raw_response: z.null(),
    error: SessionErrorSchema,
  })
  .meta({ id: 'FailedWebhookPayload' });

export type FailedWebhookPayload = z.output<typeof FailedWebhookPayloadSchema>;
