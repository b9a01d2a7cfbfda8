/** Live changes: docs/decisions.md, "Events". */
import { z } from 'zod';
import { BATCH_STATUSES, DELIVERY_STATUSES, SESSION_STATUSES } from '../values/constants.ts';
import { ProviderWaitSchema } from '../errors/session-error.ts';
import { endpointsOf } from '../values/endpoint.ts';
import { openEnum, timestamp, typeId, usd } from '../values/schemas.ts';

const endpoint = endpointsOf('Events');

/** The data of each event, by the event's name. */
export const EVENT_SCHEMAS = {
  session: z.object({
    session_id: typeId('sess'),
    status: openEnum([...SESSION_STATUSES, 'deleted']),
    assistant_id: typeId('asst').nullable().describe('null: the session was deleted.'),
    total_cost: usd(),
    completed_at: timestamp().nullable(),
    waiting_for: ProviderWaitSchema.nullable().describe('As in the session.'),
  }),
  delivery: z.object({
    delivery_id: typeId('dlv'),
    session_id: typeId('sess').nullable(),
    status: openEnum(DELIVERY_STATUSES),
    attempt: z.int().min(0).describe('Number of the latest attempt; 0: no attempt has started.'),
    next_attempt_at: timestamp().nullable(),
  }),
  batch: z.object({
    batch_id: typeId('bat'),
    status: openEnum(BATCH_STATUSES),
    total: z.int(),
    ended: z.int().describe('Number of ended sessions or deliveries.'),
  }),
  /** Events may be missing. The client must read again what it shows. */
  refetch: z.object({}),
} as const;

export type EventName = keyof typeof EVENT_SCHEMAS;

/** One event and its data. */
export type ServerEvent = { [N in EventName]: { event: N; data: z.output<(typeof EVENT_SCHEMAS)[N]> } }[EventName];

export const streamEvents = endpoint('streamEvents', 'get /v1/events', {
  summary: 'Stream events',
  description:
    'Server-sent events: `session`, `delivery` and `batch` with the ID and status of what changed, and ' +
    '`refetch` if events may be missing. Events are not stored, and none is replayed: to catch up after a lost connection, use ' +
    '`GET /v1/sessions` with `completed_after`, or `GET /v1/deliveries` with `created_after`.',
  scope: 'sessions:read',
  headers: z.object({
    'last-event-id': z
      .string()
      .optional()
      .describe('ID of the last event received. Without effect, except that the stream starts with `refetch`.'),
  }),
  answers: { 200: null },
  produces: ['text/event-stream'],
});
