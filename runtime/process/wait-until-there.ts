/** Waits for servers that a process needs, so they can be started in any order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../telemetry/log.ts';

const RETRY_MS = 1_000;
/** Interval at which a continued wait is logged again. */
const REPEAT_MS = 30_000;

/** What is missing, with the reason if it is known. */
type Missing = string | { missing: string; reason: string };

/** Calls `findMissing` every second until it returns undefined. Logs what is missing when it changes, and every 30 s. */
export async function waitUntilThere(
  log: Log,
  findMissing: () => Promise<Missing | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  let logged = { text: '', at: 0 };
  for (;;) {
    const found = await findMissing();
    signal?.throwIfAborted();
    if (found === undefined) return;
    const fields = typeof found === 'string' ? { missing: found } : found;
    const text = JSON.stringify(fields);
    if (text !== logged.text || Date.now() - logged.at >= REPEAT_MS) {
      logged = { text, at: Date.now() };
      log.warn(fields, 'waiting');
    }
    await sleep(RETRY_MS, undefined, signal && { signal });
  }
}
