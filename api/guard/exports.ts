/** Limits the exports that run at once, because each holds a large row until the client reads it. */
import type { Readable } from 'node:stream';
import { createTally } from '../../runtime/tally.ts';
import { refusal } from '../errors.ts';
import type { Memory } from './gate.ts';

export interface Exports {
  /**
   * Returns the file of `create`, and counts it until it is closed. Throws `rate_limited` if `atOnce` exports of this key run,
   * and as `Memory.require` does.
   */
  start(key: string, atOnce: number, create: () => Readable): Readable;
}

/** Counted for each export: more than the largest conversation has. */
const EXPORT_BYTES = 6 * 1024 * 1024;

export function createExports(memory: Memory): Exports {
  const running = createTally();
  return {
    start(key, atOnce, create) {
      if (running.of(key) >= atOnce) throw refusal('exports_limit', { max: atOnce }, { retryAfterS: 60 });
      memory.require(key);
      const file = create();
      const held = memory.open(key);
      running.add(key, 1);
      file.once('close', () => {
        running.add(key, -1);
        held.release();
      });
      held.count(EXPORT_BYTES);
      return file;
    },
  };
}
