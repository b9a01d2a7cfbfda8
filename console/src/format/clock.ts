/** The server's time, for countdowns and ranges. The clock of the user's device may be wrong. */
import { useSyncExternalStore } from 'react';

let offsetMs = 0;

/** A response may show a second that was over before it was sent: the server was busy. */
const MAX_DELAY_MS = 2_000;

/**
 * Corrects the server's time by the `Date` header of a response, which has a resolution of one second, and the time at
 * which its request was sent. A slow response never sets the time back: what was just created would be in the future.
 */
export function setServerTime(date: string | null, sentAt: number): void {
  const shown = Date.parse(date ?? '');
  if (Number.isNaN(shown)) return;
  offsetMs = Math.max(shown - Date.now(), Math.min(offsetMs, shown + MAX_DELAY_MS - sentAt));
}

export const serverNow = () => Date.now() + offsetMs;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

const TICK_MS = 500;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let tick = serverNow();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  tick = serverNow();
  timer ??= setInterval(() => {
    tick = serverNow();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const idle = () => () => undefined;

/** Returns the server's time. It updates twice a second while `isRunning`. */
export const useNow = (isRunning = true): number => useSyncExternalStore(isRunning ? subscribe : idle, () => tick);

/** Returns the server's time rounded down to `stepMs`. The component renders again only when the value changes. */
export const useSteppedNow = (stepMs: number): number =>
  useSyncExternalStore(subscribe, () => Math.floor((timer ? tick : serverNow()) / stepMs) * stepMs);
