/** Waits for what a process needs before it can serve: its parts may be started in any order. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './telemetry/log.ts';

const RETRY_MS = 1_000;
/** How often a wait that goes on is said again. */
const REPEAT_MS = 30_000;

/**
 * Looks each second until `findMissing` returns undefined. What it returns instead is logged when it changes, and every
 * 30 s. What it throws ends the wait.
 */
export async function waitUntilThere(
  log: Log,
  findMissing: () => Promise<string | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  let said = { missing: '', at: 0 };
  for (;;) {
    const missing = await findMissing();
    signal?.throwIfAborted();
    if (missing === undefined) return;
    if (missing !== said.missing || Date.now() - said.at >= REPEAT_MS) {
      said = { missing, at: Date.now() };
      log.warn({ missing }, 'waiting');
    }
    await sleep(RETRY_MS, undefined, signal && { signal });
  }
}
