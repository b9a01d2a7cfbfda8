/** Runs long calculations in short slices, so the worker's other sessions are not delayed. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A calculation that can pause at each `yield`. Between two of them, it takes at most a few milliseconds. */
export type Steps<T> = Generator<undefined, T>;

/** Runs a calculation. Returns undefined if the time is over. */
export type InSlices = <T>(steps: Steps<T>) => Promise<T | undefined>;

/** A session takes about 30 iterations of the event loop, and each may wait for a slice. With these values, few do. */
const SLICE_MS = 2;
const PAUSE_MS = 10;

/** Returns a function that runs calculations one after another. @param limitMs total time without the pauses. */
export function createSlices(limitMs: number): InSlices {
  let leftMs = limitMs;
  let sliceMs = SLICE_MS;
  return async function inSlices(steps) {
    while (leftMs > 0) {
      const started = performance.now();
      let step = steps.next();
      while (!step.done && performance.now() - started < sliceMs) step = steps.next();
      const took = performance.now() - started;
      leftMs -= took;
      sliceMs -= took;
      if (sliceMs <= 0) {
        await sleep(PAUSE_MS);
        sliceMs = SLICE_MS;
      }
      if (step.done) return step.value;
    }
    return undefined;
  };
}
