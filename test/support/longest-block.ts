/**
 * Returns the longest time in milliseconds for which `run` blocked the event loop. Counts only the processor time of this
 * thread, because a busy machine can suspend the thread for any time.
 */
export async function longestBlockMs(run: () => Promise<unknown>): Promise<number> {
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
