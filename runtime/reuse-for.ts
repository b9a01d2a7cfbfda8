/** Returns a function that calls `read` at most every `ms` milliseconds and otherwise returns the last result. */
export function reuseFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; result: Promise<T> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > ms) last = { at: Date.now(), result: read() };
    return last.result;
  };
}
