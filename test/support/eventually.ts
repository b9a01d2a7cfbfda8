import { setTimeout as sleep } from 'node:timers/promises';

const MIN_POLL_MS = 20;

/**
 * Waits for a condition; fails with the condition's last error, or the last value, after `timeoutMs`. What takes long is
 * looked at less often, since every look costs the processor what it waits for.
 * @param maxPollMs between two looks; less for a state that passes soon.
 */
export async function eventually<T>(
  read: () => Promise<T> | T,
  isMet: (value: T) => boolean,
  timeoutMs = 20_000,
  maxPollMs = 250,
): Promise<T> {
  const started = Date.now();
  for (;;) {
    const value = await read();
    if (isMet(value)) return value;
    const waitedMs = Date.now() - started;
    if (waitedMs > timeoutMs) throw new Error(`the condition was not met; the last value was ${JSON.stringify(value)}`);
    await sleep(Math.min(maxPollMs, Math.max(MIN_POLL_MS, waitedMs / 10)));
  }
}
