import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const MIN_POLL_MS = 20;

/**
 * Waits until `read` returns the expected value, and returns it. After `timeoutMs`, throws an error with the last value. The
 * interval between reads grows, because every read takes processor time from the awaited work.
 * @param expected a value, or a function that returns whether the value is as expected.
 * @param maxPollMs longest interval between reads. Set it lower for short-lived states.
 */
export async function eventually<T>(
  read: () => Promise<T> | T,
  expected: NoInfer<T> | ((value: T) => boolean),
  timeoutMs = 60_000,
  maxPollMs = 250,
): Promise<T> {
  const isMet = (value: T) =>
    typeof expected === 'function' ? (expected as (value: T) => boolean)(value) : isDeepStrictEqual(value, expected);
  const started = Date.now();
  for (;;) {
    const value = await read();
    if (isMet(value)) return value;
    const waitedMs = Date.now() - started;
    if (waitedMs > timeoutMs) {
      const wanted = typeof expected === 'function' ? '' : ` instead of ${JSON.stringify(expected)}`;
      throw new Error(`the condition was not met; the last value was ${JSON.stringify(value)}${wanted}`);
    }
    await sleep(Math.min(maxPollMs, Math.max(MIN_POLL_MS, waitedMs / 5)));
  }
}
