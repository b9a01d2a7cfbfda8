/** Returns the messages of an event that are sent in this process while `run` runs. */
export async function toldDuring<T extends object>(
  event: { subscribe(listener: (message: T) => void): () => unknown },
  run: () => Promise<unknown>,
): Promise<T[]> {
  const messages: T[] = [];
  const stop = event.subscribe((message) => messages.push(message));
  try {
    await run();
  } finally {
    stop();
  }
  return messages;
}
