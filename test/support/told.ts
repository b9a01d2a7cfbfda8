/** Returns the messages of an event that are told while `run` goes on, in this process. */
export async function toldDuring<T extends object>(
  event: { subscribe(listener: (message: T) => void): () => unknown },
  run: () => Promise<unknown>,
): Promise<T[]> {
  const told: T[] = [];
  const stop = event.subscribe((message) => told.push(message));
  try {
    await run();
  } finally {
    stop();
  }
  return told;
}
