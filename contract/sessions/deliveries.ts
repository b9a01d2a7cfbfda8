/** Webhook deliveries and their attempts: specification §6; docs/decisions.md, "Deliveries". */
import { z } from 'zod';
import {
  ATTEMPT_OUTCOMES,
  DELIVERY_FAILURES,
  DELIVERY_SORTS,
  DELIVERY_STATUSES,
  STOP_REASONS,
  WEBHOOK_EVENTS,
} from '../values/constants.ts';
import { endpointsOf } from '../values/endpoint.ts';
import {
  CountSchema,
  FOLLOWED,
  createdQuery,
  listOf,
  openEnum,
  pageQuery,
  queryIds,
  responseObject,
  sortedCursor,
  timestamp,
  typeId,
} from '../values/schemas.ts';
import { ReviewSchema } from '../reviews/reviews.ts';
import { FieldValueSchema } from '../fields/result-fields.ts';
import { SessionErrorSchema } from '../errors/session-error.ts';

const endpoint = endpointsOf('Deliveries');

const headers = () => z.record(z.string(), z.string());

export const AttemptSchema = responseObject('DeliveryAttempt', {
  attempt: z.int().min(1),
  started_at: timestamp(),
  duration_ms: z.int().nullable().describe('null while the attempt runs, or if its worker crashed.'),
  outcome: openEnum(ATTEMPT_OUTCOMES).nullable().describe('null while the attempt runs.'),
  failure: openEnum(DELIVERY_FAILURES).nullable(),
  failure_code: z
    .string()
    .nullable()
    .describe(
      "Code of the error, such as `ECONNREFUSED`, `CERT_HAS_EXPIRED`, or the HTTP parser's `HPE_INVALID_HEADER_TOKEN`.",
    ),
  status_code: z.int().nullable(),
  url: z.string(),
  request_headers: headers().describe('The headers of the request. Secrets are masked.'),
  response_headers: headers().nullable(),
  response_body: z.string().nullable().describe('The first 16 KiB of the body.'),
  response_truncated: z.boolean(),
  next_attempt_at: timestamp().nullable(),
});

export const DeliverySchema = responseObject('Delivery', {
  delivery_id: typeId('dlv'),
  session_id: typeId('sess').nullable().describe('null: a test delivery.'),
  assistant_id: typeId('asst'),
  event: openEnum(WEBHOOK_EVENTS),
  alert: z.string().nullable().describe('Name of the alert; null: a delivery to the webhook of the assistant.'),
  status: openEnum(DELIVERY_STATUSES),
  stop_reason: openEnum(STOP_REASONS).nullable(),
  created_at: timestamp(),
  ended_at: timestamp().nullable(),
  next_attempt_at: timestamp().nullable(),
  overdue: z.boolean().describe('true: the next attempt is more than 30 seconds late.'),
  replayed_from: typeId('dlv')
    .nullable()
    .describe('The original delivery, also if one of its redeliveries was sent again.'),
  batch_id: typeId('bat').nullable().describe('The batch that created this delivery.'),
  workflow_id: z.union([typeId('sess'), typeId('dlv')]).describe('ID of the Temporal workflow.'),
  attempts: z.array(AttemptSchema),
});
export type Delivery = z.output<typeof DeliverySchema>;

const DeliveryDetailSchema = DeliverySchema.extend({
  payload: z.string().describe('The exact body of every attempt.'),
}).meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.output<typeof DeliveryDetailSchema>;

/** Without attempts, which would make a list megabytes long. */
export const DeliveryListItemSchema = DeliverySchema.omit({ attempts: true })
  .extend({
    attempt_count: z.int().describe('Number of attempts that have started.'),
    last_attempt: AttemptSchema.pick({ status_code: true, failure: true, duration_ms: true, url: true })
      .meta({ id: 'LastAttempt' })
      .nullable()
      .describe('null: no attempt has started.'),
    session: responseObject('DeliveredSession', {
      summary_text: z.string().nullable(),
      metadata: z.record(z.string(), z.string()),
    })
      .nullable()
      .describe('The session of the delivery; null: a test delivery.'),
  })
  .meta({ id: 'DeliveryListItem' });
export type DeliveryListItem = z.output<typeof DeliveryListItemSchema>;

const deliveryFilterQuery = {
  delivery_id: queryIds('dlv')
    .optional()
    .describe('Only these deliveries, one parameter per ID.')
    .meta({ examples: [['dlv_01kaj4v5rzf1xtm8w3b2c9d0e7']] }),
  status: z.enum(DELIVERY_STATUSES).optional(),
  assistant_id: typeId('asst').optional(),
  session_id: typeId('sess').optional(),
  event: z.enum(WEBHOOK_EVENTS).optional(),
  failure: z.enum(DELIVERY_FAILURES).optional().describe('Failure of at least one attempt.'),
  batch_id: typeId('bat').optional(),
  replayed_from: typeId('dlv').optional(),
  ...createdQuery(),
};
export type DeliveryFilter = z.output<z.ZodObject<typeof deliveryFilterQuery>>;

export const listDeliveries = endpoint('listDeliveries', 'get /v1/deliveries', {
  summary: 'List deliveries',
  description: 'Newest first, unless `sort` says otherwise.',
  scope: 'webhooks:read',
  query: z.strictObject({
    ...deliveryFilterQuery,
    sort: z.enum(DELIVERY_SORTS).optional().describe(`Default: \`-created_at\`. ${FOLLOWED}`),
    ...pageQuery('dlv'),
    cursor: sortedCursor('dlv').optional().describe('`next_cursor` of the previous page in the same order.'),
  }),
  answers: { 200: listOf(DeliveryListItemSchema).meta({ id: 'DeliveryPage' }) },
});

export const countDeliveries = endpoint('countDeliveries', 'get /v1/counts/deliveries', {
  summary: 'Count deliveries',
  description: 'Counts the deliveries that match the filters, up to 10,000.',
  scope: 'webhooks:read',
  query: z.strictObject(deliveryFilterQuery),
  answers: { 200: CountSchema },
});

export const listSessionDeliveries = endpoint('listSessionDeliveries', 'get /v1/sessions/{id}/deliveries', {
  summary: 'List the deliveries of a session',
  description: 'Newest first.',
  scope: 'webhooks:read',
  params: z.object({ id: typeId('sess') }),
  query: z.strictObject(pageQuery('dlv')),
  answers: { 200: listOf(DeliverySchema).meta({ id: 'DeliveryList' }) },
});

const params = z.object({ id: typeId('dlv') });

export const getDelivery = endpoint('getDelivery', 'get /v1/deliveries/{id}', {
  summary: 'Retrieve a delivery',
  description: 'Includes the payload and every attempt.',
  scope: 'webhooks:read',
  params,
  answers: { 200: DeliveryDetailSchema },
});

export const redeliver = endpoint('redeliver', 'post /v1/deliveries/{id}/redeliver', {
  summary: 'Redeliver a delivery',
  description: 'Sends the payload of an ended delivery again, as a new delivery.',
  scope: 'webhooks:write',
  params,
  answers: { 201: DeliverySchema },
  location: '/v1/deliveries/{delivery_id}',
  errors: ['conflict'],
});

export const retryDeliveryNow = endpoint('retryDeliveryNow', 'post /v1/deliveries/{id}/retry-now', {
  summary: 'Retry a pending delivery now',
  description: 'Starts the next attempt at once.',
  scope: 'webhooks:write',
  params,
  answers: { 202: DeliverySchema },
  errors: ['conflict'],
});

export const stopDelivery = endpoint('stopDelivery', 'post /v1/deliveries/{id}/stop', {
  summary: 'Stop a pending delivery',
  description: 'An attempt that is running continues to its end.',
  scope: 'webhooks:write',
  params,
  answers: { 200: DeliverySchema },
  errors: ['conflict'],
});

export const testWebhook = endpoint('testWebhook', 'post /v1/assistants/{id}/webhook/test', {
  summary: 'Send a test webhook',
  description: "Sends `webhook.test` with example values to the assistant's webhook.",
  scope: 'webhooks:write',
  params: z.object({ id: typeId('asst') }),
  answers: { 201: DeliverySchema },
  location: '/v1/deliveries/{delivery_id}',
  errors: ['validation_failed'],
});

const payloadProperties = {
  session_id: typeId('sess'),
  assistant_id: typeId('asst'),
  status: z.literal('completed'),
  summary_text: z.string(),
  raw_response: z.record(z.string(), z.unknown()),
  total_cost: z.number(),
  created_at: timestamp(),
  occurred_at: timestamp().optional().describe('When the conversation took place, if the submission says so.'),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe('The metadata of the session when the event occurred. Absent if there is none.'),
};
/** The properties that a completed session determines. */
export type CompletedPayload = z.output<z.ZodObject<typeof payloadProperties>>;

/** The body of a webhook: the fields of the specification, §6.2, and the metadata. Open, because releases may add properties. */
export const WebhookPayloadSchema = responseObject('WebhookPayload', {
  event: z.literal('session.completed'),
  ...payloadProperties,
});
export type WebhookPayload = z.output<typeof WebhookPayloadSchema>;

const AlertReasonSchema = responseObject('AlertReason', {
  name: z.string(),
  matched: z
    .record(z.string(), FieldValueSchema.nullable())
    .describe('The values of the fields in the conditions.')
    .meta({ examples: [{ resolved: false }] }),
  titles: z
    .record(z.string(), z.string())
    .optional()
    .describe('The titles of these fields, at the submission of the session. Absent if none has a title.')
    .meta({ examples: [{ resolved: 'Problem solved' }] }),
});

/** The same fields, and why the alert was sent. */
export const AlertWebhookPayloadSchema = responseObject('AlertWebhookPayload', {
  event: z.literal('session.alert'),
  ...payloadProperties,
  alert: AlertReasonSchema,
});
export type AlertWebhookPayload = z.output<typeof AlertWebhookPayloadSchema>;

/** The body of an alert about a delivery whose last attempt failed. */
export const DeliveryFailedPayloadSchema = responseObject('DeliveryFailedPayload', {
  event: z.literal('delivery.failed'),
  delivery_id: typeId('dlv'),
  session_id: typeId('sess'),
  assistant_id: typeId('asst'),
  failed_event: openEnum(WEBHOOK_EVENTS)
    .describe('Event that was not delivered.')
    .meta({ examples: ['session.completed'] }),
  receiver: z
    .string()
    .describe('Host and port.')
    .meta({ examples: ['crm.example.com'] }),
  attempts: z.int().meta({ examples: [4] }),
  failure: openEnum(DELIVERY_FAILURES).nullable(),
  failure_code: z.string().nullable(),
  status_code: z
    .int()
    .nullable()
    .meta({ examples: [503] }),
  created_at: timestamp().describe('Time of the delivery.'),
  alert: z.object({ name: z.string().meta({ examples: ['Receiver is down'] }) }),
});
export type DeliveryFailedPayload = z.output<typeof DeliveryFailedPayloadSchema>;

/** The body of an alert with the format `slack`. */
export const SlackMessageSchema = responseObject('SlackMessage', { text: z.string() });

/** The same fields with example values. */
export const TestWebhookPayloadSchema = responseObject('TestWebhookPayload', {
  event: z.literal('webhook.test'),
  ...payloadProperties,
});
export type TestWebhookPayload = z.output<typeof TestWebhookPayloadSchema>;

/** The payload of `session.failed`: as that of `session.completed`, with `error` instead of the result. */
export const FailedWebhookPayloadSchema = responseObject('FailedWebhookPayload', {
  event: z.literal('session.failed'),
  ...payloadProperties,
  status: z.literal('failed'),
  summary_text: z.string().nullable().describe('Always null.'),
  raw_response: z.record(z.string(), z.unknown()).nullable().describe('Always null.'),
  error: SessionErrorSchema,
});
export type FailedWebhookPayload = z.output<typeof FailedWebhookPayloadSchema>;

/** The payload of `session.reviewed`: as that of `session.completed`, with the review. */
export const ReviewedWebhookPayloadSchema = responseObject('ReviewedWebhookPayload', {
  event: z.literal('session.reviewed'),
  ...payloadProperties,
  review: ReviewSchema.nullable().describe('As `GET /v1/sessions/{id}/review`; null: the review was deleted.'),
});
export type ReviewedWebhookPayload = z.output<typeof ReviewedWebhookPayloadSchema>;
