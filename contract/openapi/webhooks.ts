/** The webhooks that the service sends: specification §6; docs/webhooks.md. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { WEBHOOK_DELAYS_MS, WEBHOOK_TIMEOUT_MS, type WebhookEvent } from '../values/constants.ts';
import {
  AlertWebhookPayloadSchema,
  DeliveryFailedPayloadSchema,
  FailedWebhookPayloadSchema,
  ReviewedWebhookPayloadSchema,
  SlackMessageSchema,
  TestWebhookPayloadSchema,
  WebhookPayloadSchema,
} from '../sessions/deliveries.ts';

const EXAMPLE_DELIVERY_ID = 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7';

const HEADERS: [name: string, description: string, example: string, required: boolean][] = [
  ['X-Webhook-Event', 'Type of the event.', 'session.completed', true],
  ['X-Webhook-Delivery', 'ID of the delivery, the same on every attempt.', EXAMPLE_DELIVERY_ID, true],
  [
    'X-Webhook-Replayed-From',
    'Only on a redelivery: ID of the original delivery, also if a redelivery was redelivered. To process every event exactly once, use ' +
      'this ID as the key, or without this header `X-Webhook-Delivery`.',
    EXAMPLE_DELIVERY_ID,
    false,
  ],
  [
    'X-Webhook-Simulated',
    'Only if a stand-in produced the result, because the provider has no key: `true`.',
    'true',
    false,
  ],
  ['X-Webhook-Attempt', 'Number of the attempt, starting at 1.', '1', true],
  ['User-Agent', 'Name of the service.', 'conversation-analysis-service/1', true],
  ['webhook-id', 'Standard Webhooks: ID of the delivery. Only with a secret.', EXAMPLE_DELIVERY_ID, false],
  ['webhook-timestamp', 'Standard Webhooks: Unix time in seconds. Only with a secret.', '1795253402', false],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with the bytes of `webhook_secret` as key. Behind `whsec_`, a second signature uses the decoded key. Refuse timestamps older than five minutes. Only with a secret, unless `webhook_auth` is `bearer`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ],
];

const waits = WEBHOOK_DELAYS_MS.map((delayMs) => `${delayMs / 1_000} s`).join(', ');

interface Event {
  operationId: string;
  summary: string;
  /** Default: the webhook. */
  receiver?: string;
  when: string;
  payload: z.ZodType;
}

const EVENTS: Record<WebhookEvent, Event> = {
  'session.completed': {
    operationId: 'onSessionCompleted',
    summary: 'A conversation was analyzed',
    when: 'when the analysis of a conversation is complete.',
    payload: WebhookPayloadSchema,
  },
  'session.failed': {
    operationId: 'onSessionFailed',
    summary: 'A session failed',
    when: 'when a session has failed, if `webhook_events` contains `session.failed`.',
    payload: FailedWebhookPayloadSchema,
  },
  'session.reviewed': {
    operationId: 'onSessionReviewed',
    summary: 'The review of a session was saved or deleted',
    when: 'when the review of a session was saved or deleted, if `webhook_events` contains `session.reviewed`: once for all changes within 5 seconds, with the last one.',
    payload: ReviewedWebhookPayloadSchema,
  },
  'session.alert': {
    operationId: 'onSessionAlert',
    summary: 'A result meets the conditions of an alert',
    receiver: "`url` of the assistant's alert",
    when: 'when a result meets the conditions of the alert. With the format `slack`, the body is a message.',
    payload: z.union([AlertWebhookPayloadSchema, SlackMessageSchema]),
  },
  'delivery.failed': {
    operationId: 'onDeliveryFailed',
    summary: 'The last attempt of a delivery failed',
    receiver: "`url` of the assistant's alert",
    when: 'when a delivery has used its attempts, at most once per receiver and hour. With the format `slack`, the body is a message.',
    payload: z.union([DeliveryFailedPayloadSchema, SlackMessageSchema]),
  },
  'webhook.test': {
    operationId: 'onWebhookTest',
    summary: 'A test webhook was requested',
    when: 'on request, with example values.',
    payload: TestWebhookPayloadSchema,
  },
};

/** Returns an operation for each event. */
export function toWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, { post: toWebhook(name, event) }]));
}

function toWebhook(name: string, event: Event): ZodOpenApiOperationObject {
  const { operationId, summary, receiver = "assistant's `webhook_url`", when, payload } = event;
  return {
    operationId,
    summary,
    description: [
      `Posted to the ${receiver} ${when}`,
      `Every attempt sends the same bytes. A failed attempt is retried after ${waits}.`,
      'To catch up after an outage, list sessions with `sort=updated_at`, or deliveries with `sort=created_at`, and follow `next_cursor`.',
    ].join(' '),
    tags: ['Webhooks'],
    security: [{ webhookSecret: [] }, {}],
    parameters: HEADERS.map(([header, description, value, required]) => ({
      name: header,
      in: 'header' as const,
      required,
      description,
      schema: { type: 'string' as const },
      example: header === 'X-Webhook-Event' ? name : value,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: {
      '2XX': {
        description: `Delivered, if the response arrives within ${WEBHOOK_TIMEOUT_MS / 1_000} s. Its body is ignored.`,
      },
      default: { description: 'Failed. Redirects are not followed, and count as failures.' },
    },
  };
}
