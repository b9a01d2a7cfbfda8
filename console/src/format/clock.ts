/** The server's time, for countdowns: this machine's clock may be wrong. */
import { useSyncExternalStore } from 'react';

let offsetMs = 0;

/** Takes the time of an answer's `Date` header, which is exact to a second. */
export function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return;
  const measured = serverMs + 500 - Date.now();
  if (Math.abs(measured - offsetMs) > 1_000) offsetMs = measured;
}

export const serverNow = () => Date.now() + offsetMs;

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

/** Returns the server's time, twice a second while `isRunning`; else the time it stood still. */
export function useNow(isRunning = true): number {
  return useSyncExternalStore(isRunning ? subscribe : idle, () => tick);
}
