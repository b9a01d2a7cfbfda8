/** Returns `read`, whose answer is given again for `ms` milliseconds: those who ask come often and from many sides. */
export function reuseFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || Date.now() - last.at > ms) last = { at: Date.now(), answer: read() };
    return last.answer;
  };
}
