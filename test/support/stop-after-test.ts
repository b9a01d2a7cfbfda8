interface Stoppable {
  stop(): Promise<unknown>;
}

const started: Stoppable[] = [];

/** Returns what a test or its `beforeEach` started. It is stopped when the test has ended, passed or not. */
export async function stopAfterTest<T extends Stoppable>(starting: Promise<T>): Promise<T> {
  const resource = await starting;
  started.push(resource);
  return resource;
}

/** Stops the latest first. test/support/hooks.ts calls it after each test. */
export async function stopStarted(): Promise<void> {
  for (const resource of started.splice(0).reverse()) await resource.stop();
}
