/** What the service posts to a consumer: spec §6; additions: docs/webhooks.md. */
import type { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { WEBHOOK_DELAYS_MS, WEBHOOK_TIMEOUT_MS } from '../constants.ts';
import { FailedWebhookPayloadSchema, TestWebhookPayloadSchema, WebhookPayloadSchema } from '../deliveries.ts';
import type { WebhookEvent } from '../constants.ts';
import { failedWebhookPayload, testWebhookPayload, webhookPayload } from './examples.ts';

const EXAMPLE_DELIVERY_ID = 'dlv_01kaj4v5rzf1xtm8w3b2c9d0e7';

/** name, description, example, and whether every delivery has it. */
const HEADERS: [name: string, description: string, example: string, required: boolean][] = [
  ['X-Webhook-Event', 'The event kind.', 'session.completed', true],
  [
    'X-Webhook-Delivery',
    'The same on every attempt of a delivery: use it to drop duplicates.',
    EXAMPLE_DELIVERY_ID,
    true,
  ],
  ['X-Webhook-Replayed-From', 'On a redelivery: the delivery whose payload is sent again.', EXAMPLE_DELIVERY_ID, false],
  ['X-Webhook-Attempt', 'Number of the attempt, from 1.', '1', true],
  ['User-Agent', 'Who calls.', 'conversation-analysis-service/1', true],
  ['webhook-id', 'Standard Webhooks: the delivery; with a secret only.', EXAMPLE_DELIVERY_ID, false],
  ['webhook-timestamp', 'Standard Webhooks: seconds since 1970; with a secret only.', '1795253402', false],
  [
    'webhook-signature',
    "Standard Webhooks: `v1,` and the HMAC-SHA256, in base64, of `<webhook-id>.<webhook-timestamp>.<body>` with the secret's bytes as key; with a secret only.",
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ],
];

const waits = WEBHOOK_DELAYS_MS.map((delayMs) => `${delayMs / 1_000} s`).join(', ');

interface Event {
  operationId: string;
  summary: string;
  when: string;
  payload: z.ZodType;
  example: unknown;
}

const EVENTS: Record<WebhookEvent, Event> = {
  'session.completed': {
    operationId: 'onSessionCompleted',
    summary: 'A conversation was analyzed',
    when: 'once the analysis of a conversation is complete.',
    payload: WebhookPayloadSchema,
    example: webhookPayload,
  },
  'session.failed': {
    operationId: 'onSessionFailed',
    summary: 'The analysis of a conversation failed',
    when: 'when an analysis is given up, if `webhook_events` asks for it.',
    payload: FailedWebhookPayloadSchema,
    example: failedWebhookPayload,
  },
  'webhook.test': {
    operationId: 'onWebhookTest',
    summary: 'Somebody tests the webhook',
    when: 'on request; the values are examples.',
    payload: TestWebhookPayloadSchema,
    example: testWebhookPayload,
  },
};

/** Returns the operation of each event. */
export function toWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(Object.entries(EVENTS).map(([name, event]) => [name, { post: toWebhook(name, event) }]));
}

function toWebhook(name: string, event: Event): ZodOpenApiOperationObject {
  const { operationId, summary, when, payload, example } = event;
  return {
    operationId,
    summary,
    description: [
      `Posted to the assistant's \`webhook_url\` ${when}`,
      `Every attempt sends the same bytes. A delivery that fails is tried again after ${waits}.`,
    ].join(' '),
    tags: ['Webhooks'],
    security: [{ webhookSecret: [] }, {}],
    parameters: HEADERS.map(([header, description, value, required]) => ({
      ...{ name: header, in: 'header' as const, required, description },
      schema: { type: 'string' as const },
      example: header === 'X-Webhook-Event' ? name : value,
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payload, example } },
    },
    responses: {
      '2XX': {
        description: `Delivered, if it is complete within ${WEBHOOK_TIMEOUT_MS / 1_000} s. The body is ignored.`,
      },
      default: { description: 'Failed, redirects included: they are not followed.' },
    },
  };
}
