/** What the service posts to a consumer: spec §6; additions: docs/webhooks.md. */
import { WEBHOOK_DELAYS_MS, WEBHOOK_TIMEOUT_MS } from '../constants.ts';
import { WebhookPayloadSchema } from '../deliveries.ts';
import { webhookPayload } from './examples.ts';
import type { Components, Json } from './json-schema.ts';

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

export function describeWebhooks(components: Components): Json {
  return {
    'session.completed': {
      post: {
        operationId: 'onSessionCompleted',
        summary: 'A conversation was analysed',
        description: [
          "Posted to the assistant's `webhook_url` once the analysis of a conversation is complete.",
          `Every attempt sends the same bytes. A delivery that fails is tried again after ${waits}.`,
        ].join(' '),
        tags: ['Webhooks'],
        security: [{ webhookSecret: [] }, {}],
        parameters: HEADERS.map(([name, description, example, required]) => ({
          ...{ name, in: 'header', required, description },
          schema: { type: 'string' },
          example,
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: components.add(WebhookPayloadSchema, 'output'), example: webhookPayload },
          },
        },
        responses: {
          '2XX': {
            description: `Delivered, if it is complete within ${WEBHOOK_TIMEOUT_MS / 1_000} s. The body is ignored.`,
          },
          default: { description: 'Failed, redirects included: they are not followed.' },
        },
      },
    },
  };
}
