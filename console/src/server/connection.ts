/** Whether the API answers; the shell says so, and what is shown is read anew once it does again. */
import { useSyncExternalStore } from 'react';

type Connection = 'well' | 'away';

const PING_MS = 3_000;

let connection: Connection = 'well';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
let onReturn = () => undefined as void;

/**
 * Listens for the end of an outage.
 * @param callback is run when the API answers again.
 */
export function onApiReturn(callback: () => void): void {
  onReturn = callback;
}

function change(next: Connection): void {
  if (connection === next) return;
  connection = next;
  for (const listener of listeners) listener();
}

/** Notes that a call got no answer, and asks until one comes. */
export function noteAway(): void {
  change('away');
  timer ??= setTimeout(() => void ping(), PING_MS);
}

/** Asks now, for instance when the browser says that it is online again. */
export async function ping(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const isBack = await fetch('/healthz', { cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (!isBack) return noteAway();
  const wasAway = connection === 'away';
  change('well');
  if (wasAway) onReturn();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useConnection = () => useSyncExternalStore(subscribe, () => connection);
