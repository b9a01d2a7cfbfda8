/** Whether the server responds. The shell shows an outage, and data is read again when it ends. */
import { Store } from '@tanstack/react-store';
import { serverNow } from '../format/clock.ts';

const PING_MS = 3_000;
const PING_TIMEOUT_MS = 2_500;
/** After this time without a response, the server is checked. */
const SLOW_MS = 2_500;

/** When the outage began, in milliseconds; undefined while the server responds. */
export const awaySince = new Store<number | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
let pinging: Promise<boolean> | undefined;

/** Records that a call got no response. Pings until the server responds. */
export function noteAway(): void {
  awaySince.setState((since) => since ?? serverNow());
  timer ??= setTimeout(() => void ping(), PING_MS);
}

/** Checks the server now. Returns whether it responds. */
export function ping(): Promise<boolean> {
  pinging ??= pingOnce().finally(() => (pinging = undefined));
  return pinging;
}

async function pingOnce(): Promise<boolean> {
  clearTimeout(timer);
  timer = undefined;
  const isUp = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(PING_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isUp) awaySince.setState(() => undefined);
  else noteAway();
  return isUp;
}

/** Returns the promise, and checks the server if it takes long: a hanging server rejects no call. */
export function watch<T>(pending: Promise<T>): Promise<T> {
  const slow = setTimeout(() => void ping(), SLOW_MS);
  return pending.finally(() => clearTimeout(slow));
}

/** Resolves when the server responds. */
export function untilReachable(): Promise<void> {
  return new Promise((resolve) => {
    const { unsubscribe } = awaySince.subscribe((since) => {
      if (since !== undefined) return;
      unsubscribe();
      resolve();
    });
  });
}
