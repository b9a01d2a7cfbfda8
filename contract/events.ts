/** What changes while one looks: docs/decisions.md, "Events". */
import { z } from 'zod';
import { BATCH_STATUSES, DELIVERY_STATUSES, REDELIVERY_STATUSES, SESSION_STATUSES } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { openEnum, timestamp, typeId, usd } from './fields.ts';

const DELETED = 'deleted';

const SessionEventSchema = z.object({
  session_id: typeId('sess'),
  status: openEnum([...SESSION_STATUSES, DELETED]),
  assistant_id: typeId('asst').nullable().describe('null: the session is deleted.'),
  total_cost: usd(),
  completed_at: timestamp().nullable(),
});

const DeliveryEventSchema = z.object({
  delivery_id: typeId('dlv'),
  session_id: typeId('sess').nullable(),
  status: openEnum(DELIVERY_STATUSES),
  attempt: z.int().min(0).describe('The latest attempt that was begun; 0: none was.'),
  next_attempt_at: timestamp().nullable(),
});

const RedeliveryEventSchema = z.object({
  redelivery_id: typeId('rdl'),
  status: openEnum(REDELIVERY_STATUSES),
  total: z.int(),
  started: z.int(),
});

const BatchEventSchema = z.object({
  batch_id: typeId('bat'),
  status: openEnum(BATCH_STATUSES),
  total: z.int(),
  ended: z.int().describe('Sessions that are done with.'),
});

/** By the name of the event. */
export const EVENT_SCHEMAS = {
  session: SessionEventSchema,
  delivery: DeliveryEventSchema,
  redelivery: RedeliveryEventSchema,
  batch: BatchEventSchema,
  /** Something may have been missed: what is shown is to be read again. */
  refetch: z.object({}),
} as const;

export type EventName = keyof typeof EVENT_SCHEMAS;

/** One event and its data. */
export type ServerEvent = { [N in EventName]: { event: N; data: z.output<(typeof EVENT_SCHEMAS)[N]> } }[EventName];

export const streamEvents = endpoint({
  operationId: 'streamEvents',
  method: 'get',
  path: '/v1/events',
  summary:
    'Server-sent events: `session`, `delivery`, `redelivery` and `batch` with ids and states of what changed, and `refetch` where ' +
    'something may have been missed',
  tag: 'Events',
  auth: 'bearer',
  scope: 'sessions:read',
  headers: z.object({
    'last-event-id': z
      .string()
      .optional()
      .describe('Of the stream before. What happened between the two is not known: a `refetch` comes first.'),
  }),
  answers: { 200: null },
  produces: ['text/event-stream'],
});
