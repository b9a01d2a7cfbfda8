/**
 * What happens on the server while a page is looked at: `GET /v1/events`, one stream for each visible tab. Events name
 * ids and states only; who is interested reads the rest. Without a stream, pages ask every few seconds.
 */
import { useEffect, useSyncExternalStore } from 'react';
import type { DeliveryStatus, SessionStatus } from '../../../contract/constants.ts';
import { refreshAll } from '../server/queries.ts';

export interface SessionEvent {
  session_id: string;
  status: SessionStatus;
  assistant_id: string;
  total_cost: number;
  completed_at: string | null;
}

export interface DeliveryEvent {
  delivery_id: string;
  session_id: string | null;
  status: DeliveryStatus;
  attempt: number;
  next_attempt_at: string | null;
}

export interface RedeliveryEvent {
  redelivery_id: string;
}

export interface BatchEvent {
  batch_id: string;
}

interface Events {
  session: SessionEvent;
  delivery: DeliveryEvent;
  redelivery: RedeliveryEvent;
  batch: BatchEvent;
}

type Kind = keyof Events;

const URL = '/api/v1/events';
const KINDS: readonly Kind[] = ['session', 'delivery', 'redelivery', 'batch'];
/** A stream that was refused is asked for again; EventSource itself gives up after a refusal. */
const REOPEN_MS = 15_000;
const POLL_MS = 5_000;

const handlers: { [K in Kind]: Set<(event: Events[K]) => void> } = {
  session: new Set(),
  delivery: new Set(),
  redelivery: new Set(),
  batch: new Set(),
};
const stateListeners = new Set<() => void>();
let stream: EventSource | undefined;
let reopening: ReturnType<typeof setTimeout> | undefined;
let isLive = false;
/** Grows with each event, and when the stream opens or ends. */
let told = 0;

function setLive(live: boolean): void {
  if (isLive === live) return;
  isLive = live;
  told += 1;
  for (const listener of stateListeners) listener();
}

function open(): void {
  close();
  let wasOpen = false;
  const opened = new EventSource(URL);
  stream = opened;
  opened.addEventListener('open', () => {
    setLive(true);
    // What happened while nobody listened is not told again.
    if (wasOpen) void refreshAll();
    wasOpen = true;
  });
  opened.addEventListener('refetch', () => void refreshAll());
  opened.addEventListener('error', () => {
    setLive(false);
    if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, REOPEN_MS);
  });
  for (const kind of KINDS) {
    opened.addEventListener(kind, ({ data }: MessageEvent<string>) => tell(kind, JSON.parse(data) as Events[Kind]));
  }
}

function close(): void {
  clearTimeout(reopening);
  stream?.close();
  stream = undefined;
  setLive(false);
}

function tell<K extends Kind>(kind: K, event: Events[K]): void {
  told += 1;
  for (const handler of handlers[kind]) handler(event);
}

/** Returns a mark that stays the same while events come and none came; undefined while none can come. */
export const markOfEvents = (): number | undefined => (isLive ? told : undefined);

/** Listens while the tab is visible. Used once, by the shell. */
export function useEventStream(): void {
  useEffect(() => {
    const follow = () => {
      if (document.visibilityState === 'visible') open();
      else close();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      close();
    };
  }, []);
}

/** Runs the handler for each event of the kind; give it a stable function. */
export function useEvent<K extends Kind>(kind: K, handler: (event: Events[K]) => void): void {
  useEffect(() => {
    handlers[kind].add(handler);
    return () => void handlers[kind].delete(handler);
  }, [kind, handler]);
}

function subscribe(listener: () => void): () => void {
  stateListeners.add(listener);
  return () => stateListeners.delete(listener);
}

export const useIsLive = () => useSyncExternalStore(subscribe, () => isLive);

/** Returns how often to ask for what is not finished: not at all while events come. */
export function usePollInterval(isUnfinished: boolean): number | false {
  const live = useIsLive();
  return isUnfinished && !live ? POLL_MS : false;
}
