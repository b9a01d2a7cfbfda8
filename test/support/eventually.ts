import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; fails with the condition's last error, or the last value, after `timeoutMs`. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  isMet: (value: T) => boolean,
  timeoutMs = 20_000,
): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(20)) {
    const value = await read();
    if (isMet(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`the condition was not met; the last value was ${JSON.stringify(value)}`);
  }
}
