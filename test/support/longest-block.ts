import { expect } from 'chai';

const RUNS = 3;

/**
 * Expects that `run` does not block the event loop for `limitMs`. Repeats a run that did: it blocks each time, but the garbage of
 * earlier tests is collected, and code compiled, only once.
 */
export async function expectNoBlock(limitMs: number, run: () => Promise<unknown>, about?: string): Promise<void> {
  let longest = Infinity;
  for (let runs = 0; runs < RUNS && longest >= limitMs; runs++) longest = await longestBlockMs(run);
  expect(longest, about).to.be.below(limitMs);
}

/** Counts only the processor time of this thread, because a busy machine can suspend the thread for any time. */
async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const clock = setInterval(look, 1);
  await run().finally(() => clearInterval(clock));
  look();
  return longest;
}
