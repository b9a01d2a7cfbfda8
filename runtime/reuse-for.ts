/** Returns a function that calls `read` at most every `ms` milliseconds, whatever the clock is set to, and otherwise returns the last result. */
export function reuseFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!last || at - last.at > ms) last = { at, result: read() };
    return last.result;
  };
}
