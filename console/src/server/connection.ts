/** Tracks whether the server responds. The shell shows an outage, and data is refreshed when it ends. */
import { Store } from '@tanstack/react-store';
import { serverNow } from '../format/clock.ts';

const PING_MS = 3_000;
const PING_TIMEOUT_MS = 2_500;
/** Time without a response after which the server is pinged. */
const SLOW_MS = 2_500;

/** When the outage began, in milliseconds; undefined while the server responds. */
export const unreachableSince = new Store<number | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
let pinging: Promise<boolean> | undefined;

/** Records that a call got no response. Pings until the server responds. */
export function reportUnreachable(): void {
  unreachableSince.setState((since) => since ?? serverNow());
  timer ??= setTimeout(() => void ping(), PING_MS);
}

/** Pings the server now. Returns whether it responds. */
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
  if (isUp) unreachableSince.setState(() => undefined);
  else reportUnreachable();
  return isUp;
}

/** Returns the promise, and pings the server if it takes long, because calls to a hanging server never fail. */
export function watch<T>(pending: Promise<T>): Promise<T> {
  const slow = setTimeout(() => void ping(), SLOW_MS);
  return pending.finally(() => clearTimeout(slow));
}

/** Resolves when the server responds. */
export function untilReachable(): Promise<void> {
  return new Promise((resolve) => {
    const { unsubscribe } = unreachableSince.subscribe((since) => {
      if (since !== undefined) return;
      unsubscribe();
      resolve();
    });
  });
}
