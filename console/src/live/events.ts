/**
 * Reads the event stream `GET /v1/events`, one connection per visible tab. Events contain only IDs and statuses; pages
 * request the rest. While the stream is down, pages poll.
 */
import type { Query } from '@tanstack/react-query';
import { Store, useSelector } from '@tanstack/react-store';
import { useEffect, useEffectEvent } from 'react';
import type { SessionStatus } from '../../../contract/values/constants.ts';
import { queryClient, refresh, refreshAll } from '../server/queries.ts';
import { apiBase } from '../server/workspace.ts';

interface SessionEvent {
  session_id: string;
  status: SessionStatus;
}

interface Events {
  session: SessionEvent;
  delivery: unknown;
}

const KINDS = ['session', 'delivery', 'batch'];
const ID_NAMES = ['session_id', 'delivery_id', 'batch_id'];
/** Delay before the stream is opened again after an error response. `EventSource` does not reconnect in this case. */
const REOPEN_MS = 15_000;
const POLL_MS = 5_000;
/** Events come in bursts. Each burst is handled once. */
const COALESCE_MS = 250;
/** Shortest time between two refreshes of the same pages. */
const REFRESH_MS = 1_000;

const events = new EventTarget();
const isLive = new Store(false);
let stream: EventSource | undefined;
let reopening: ReturnType<typeof setTimeout> | undefined;
/** Number of events so far. Opening and losing the stream also count. */
let eventCount = 0;
isLive.subscribe(() => eventCount++);

function open(): void {
  close();
  let wasOpen = false;
  const opened = new EventSource(`${apiBase()}/v1/events`);
  stream = opened;
  opened.addEventListener('open', () => {
    // The server does not repeat events from before this moment.
    if (wasOpen) void refreshAll();
    else queryClient.getQueryCache().getAll().filter(isFollowed).forEach(readAgain);
    wasOpen = true;
    isLive.setState(() => true);
  });
  opened.addEventListener('refetch', () => void refreshAll());
  opened.addEventListener('error', () => {
    isLive.setState(() => false);
    // The server ends the stream of a removed member.
    void refresh('listWorkspaces');
    if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
  });
  for (const kind of KINDS) opened.addEventListener(kind, receive);
}

/** The operations whose data changes by events. Other data is read again when this data changes. */
const FOLLOWED = /^get(Session|Delivery|Batch)$/;

/** Returns whether the data can change by an event, or is requested again and again while the stream is down. */
const isFollowed = (query: Query) =>
  (query.isActive() && FOLLOWED.test(String((query.queryKey[0] as { _id?: string } | undefined)?._id))) ||
  query.observers.some(({ options: { refetchInterval: interval } }) => {
    return (typeof interval === 'function' ? interval(query) : interval) === POLL_MS;
  });

/** Requests the data again, but not before a first request has ended: it would be used instead. */
function readAgain({ queryKey, promise, state }: Query): void {
  const first = state.data === undefined ? promise?.catch(() => undefined) : undefined;
  void Promise.resolve(first).then(() => queryClient.invalidateQueries({ queryKey, exact: true }));
}

function close(): void {
  clearTimeout(reopening);
  stream?.close();
  stream = undefined;
  isLive.setState(() => false);
}

function receive({ type, data }: MessageEvent<string>): void {
  const detail = JSON.parse(data) as Record<string, unknown>;
  eventCount += 1;
  for (const name of ID_NAMES) if (detail[name]) changedIds.add(detail[name]);
  refreshLater();
  events.dispatchEvent(new CustomEvent(type, { detail }));
}

/** Returns a function that calls `act` after a burst of calls, at most once per interval, and one that cancels this. */
export function atMostEvery(intervalMs: number, act: () => void): [call: () => void, cancel: () => void] {
  let lastAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    lastAt = performance.now();
    act();
  };
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return [() => (timer ??= setTimeout(run, Math.max(COALESCE_MS, lastAt + intervalMs - performance.now()))), cancel];
}

const changedIds = new Set<unknown>();

/** Refreshes the data of the changed IDs: now if the data is on screen, otherwise when it is shown next. */
const [refreshLater] = atMostEvery(REFRESH_MS, () => {
  const changed = new Set(changedIds);
  changedIds.clear();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => changed.has((queryKey[0] as { path?: { id?: string } } | undefined)?.path?.id),
  });
});

/** Returns the number of events so far; undefined while the stream is down. */
export const eventSequence = (): number | undefined => (isLive.state ? eventCount : undefined);

/** Keeps the stream open while the tab is visible. Used once, by the shell. */
export function useEventStream(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled) return undefined;
    const follow = () => (document.visibilityState === 'visible' ? open() : close());
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, [isEnabled]);
}

/** Calls the handler for each event of the kind. Used by lists and uploads. */
export function useEvent<K extends keyof Events>(kind: K, handler: (event: Events[K]) => void): void {
  const handle = useEffectEvent(handler);
  useEffect(() => {
    const listen = (event: Event) => handle((event as CustomEvent<Events[K]>).detail);
    events.addEventListener(kind, listen);
    return () => events.removeEventListener(kind, listen);
  }, [kind]);
}

/** Returns the poll interval; false while the stream is open. */
export const usePollInterval = (): number | false => !useSelector(isLive) && POLL_MS;

/** Returns the `refetchInterval` of a query that polls while its data is unfinished and the stream is down. */
export function usePollWhile<Data>(isUnfinished: (data: Data | undefined) => boolean) {
  const pollMs = usePollInterval();
  return ({ state }: { state: { data: Data | undefined } }) => isUnfinished(state.data) && pollMs;
}
