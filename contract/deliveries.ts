/** Webhook deliveries and their attempts: spec §6; additions: docs/decisions.md, "Deliveries". */
import { z } from 'zod';
import { DELIVERY_FAILURES, DELIVERY_STATUSES, STOP_REASONS, WEBHOOK_EVENTS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { listOf, timestamp, typeId } from './fields.ts';

const headers = () => z.record(z.string(), z.string());

const AttemptSchema = z
  .object({
    attempt: z.int().min(1),
    started_at: timestamp(),
    duration_ms: z.int().nullable().describe('null while the attempt runs, or when its worker was lost.'),
    outcome: z.enum(['succeeded', 'failed']).nullable().describe('null while the attempt runs.'),
    failure: z.enum(DELIVERY_FAILURES).nullable(),
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
    session_id: typeId('sess'),
    assistant_id: typeId('asst'),
    event: z.enum(WEBHOOK_EVENTS),
    status: z.enum(DELIVERY_STATUSES),
    stop_reason: z.enum(STOP_REASONS).nullable(),
    created_at: timestamp(),
    finished_at: timestamp().nullable(),
    next_attempt_at: timestamp().nullable(),
    attempts: z.array(AttemptSchema),
  })
  .meta({ id: 'Delivery' });

export type Delivery = z.output<typeof DeliverySchema>;

export const listSessionDeliveries = endpoint({
  operationId: 'listSessionDeliveries',
  method: 'get',
  path: '/v1/sessions/{id}/deliveries',
  summary: 'Deliveries of one session, newest first',
  tag: 'Deliveries',
  auth: 'bearer',
  params: z.object({ id: typeId('sess') }),
  answers: { 200: listOf(DeliverySchema).meta({ id: 'DeliveryList' }) },
});

export const getDelivery = endpoint({
  operationId: 'getDelivery',
  method: 'get',
  path: '/v1/deliveries/{id}',
  summary: 'One delivery with every attempt',
  tag: 'Deliveries',
  auth: 'bearer',
  params: z.object({ id: typeId('dlv') }),
  answers: { 200: DeliverySchema },
});

/** The body of a webhook, exactly these fields. Spec §6.2. */
export const WebhookPayloadSchema = z
  .strictObject({
    event: z.enum(WEBHOOK_EVENTS),
    session_id: typeId('sess'),
    assistant_id: typeId('asst'),
    status: z.literal('completed'),
    summary_text: z.string(),
    raw_response: z.record(z.string(), z.unknown()),
    total_cost: z.number(),
    created_at: timestamp(),
  })
  .meta({ id: 'WebhookPayload' });

export type WebhookPayload = z.output<typeof WebhookPayloadSchema>;
