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

/** Everything the history holds, bytes read as text: what anyone with access to Temporal can read. */
export function textOf(history: History): string {
  return JSON.stringify(eventsOf(history), (_key, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString();
    // `toJSON` of a Buffer runs before this function sees it.
    if (isSerializedBuffer(value)) return Buffer.from(value.data).toString();
    return typeof value === 'bigint' ? String(value) : value;
  });
}

function isSerializedBuffer(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}
