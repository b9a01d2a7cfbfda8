/** Reads workflow histories. */
import { defaultPayloadConverter } from '@temporalio/common';
import type { WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Event = NonNullable<History['events']>[number];
type Payload = NonNullable<NonNullable<Event['userMetadata']>['summary']>;

export const eventsOf = (history: History): Event[] => history.events ?? [];

const decode = (payload: Payload | null | undefined) =>
  payload ? defaultPayloadConverter.fromPayload<string>(payload) : undefined;

/** Returns the activities and timers of the workflow in their order, with the summaries that the Temporal UI shows. */
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

/** Returns the durations of the timers, in order. */
export const delaysOf = (history: History) => stepsOf(history).flatMap(({ delayMs }) => delayMs ?? []);

/** Returns the values of a search attribute over time, in order. */
export function valuesOf(history: History, attribute: string): string[] {
  return eventsOf(history).flatMap((event) => {
    const changed = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields?.[attribute];
    return changed ? [defaultPayloadConverter.fromPayload<string[]>(changed)].flat().slice(0, 1) : [];
  });
}

/**
 * Returns the history as readable JSON, with bytes as text if they are text. Not with the SDK's own function, which fails if
 * several copies of protobufjs are installed.
 */
export function printHistory(history: History): string {
  return JSON.stringify(toPlain({ events: eventsOf(history) }), null, 2);
}

/** Converts recursively, because protobufjs' `toJSON` makes bytes unreadable and converts numbers to text. */
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
