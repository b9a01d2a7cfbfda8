/** Reads of a workflow's history what tests ask about. */
import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Event = NonNullable<History['events']>[number];
type Payload = NonNullable<NonNullable<Event['userMetadata']>['summary']>;

export const eventsOf = (history: History): Event[] => history.events ?? [];

const decode = (payload: Payload | null | undefined) =>
  payload ? defaultPayloadConverter.fromPayload<string>(payload) : undefined;

/** The activities and timers that the workflow asked for, in its order, as an operator sees them. */
export function stepsOf(history: History): { name: string; delayMs?: number; summary: string | undefined }[] {
  return eventsOf(history).flatMap((event) => {
    const summary = decode(event.userMetadata?.summary);
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
    if (activity) return [{ name: activity, summary }];
    const timer = event.timerStartedEventAttributes?.startToFireTimeout;
    if (!timer) return [];
    return [{ name: 'timer', delayMs: Number(timer.seconds ?? 0) * 1_000 + (timer.nanos ?? 0) / 1e6, summary }];
  });
}

/** The waits, in order. */
export const delaysOf = (history: History) => stepsOf(history).flatMap(({ delayMs }) => delayMs ?? []);

/** The values that a search attribute took, in order. */
export function valuesOf(history: History, attribute: string): string[] {
  return eventsOf(history).flatMap((event) => {
    const changed = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields?.[attribute];
    return changed ? [defaultPayloadConverter.fromPayload<string[]>(changed)].flat().slice(0, 1) : [];
  });
}

/**
 * The history as JSON that people can read: bytes as text where they are text. Not the SDK's own form, whose code does
 * not stand several copies of protobufjs being installed.
 */
export function textOf(history: History): string {
  return JSON.stringify(toPlain({ events: eventsOf(history) }), null, 2);
}

/** The opposite of `textOf`. */
export function parseHistory(text: string): History {
  return JSON.parse(text, (_key, value: unknown) => {
    if (!isObject(value)) return value;
    if (typeof value['$text'] === 'string') return Buffer.from(value['$text']);
    return typeof value['$base64'] === 'string' ? Buffer.from(value['$base64'], 'base64') : value;
  }) as History;
}

/** Walks by itself: protobufjs' `toJSON` would make bytes unreadable and numbers text. */
function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return toBytesContent(Buffer.from(value));
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  if ('low' in value && 'high' in value && 'unsigned' in value) return Number(value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]));
}

function toBytesContent(bytes: Buffer) {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? { $text: text } : { $base64: bytes.toString('base64') };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
