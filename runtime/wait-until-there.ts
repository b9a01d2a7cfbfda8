/** Waits for servers that a process needs, so they can be started in any order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './telemetry/log.ts';

const RETRY_MS = 1_000;
/** Interval at which a continued wait is logged again. */
const REPEAT_MS = 30_000;

/** Calls `findMissing` every second until it returns undefined. Logs what is missing when it changes, and every 30 s. */
export async function waitUntilThere(
  log: Log,
  findMissing: () => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  let logged = { missing: '', at: 0 };
  for (;;) {
    const missing = await findMissing();
    signal?.throwIfAborted();
    if (missing === undefined) return;
    if (missing !== logged.missing || Date.now() - logged.at >= REPEAT_MS) {
      logged = { missing, at: Date.now() };
      log.warn({ missing }, 'waiting');
    }
    await sleep(RETRY_MS, undefined, signal && { signal });
  }
}
