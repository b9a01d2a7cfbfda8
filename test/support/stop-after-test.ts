interface Stoppable {
  stop(): Promise<unknown>;
}

const started: Stoppable[] = [];

/** Returns the started object, and stops it when the test has ended. Use in tests and `beforeEach`. */
export async function stopAfterTest<T extends Stoppable>(starting: Promise<T>): Promise<T> {
  const resource = await starting;
  started.push(resource);
  return resource;
}

/** Stops everything in reverse order. test/support/hooks.ts calls this after each test. */
export async function stopStarted(): Promise<void> {
  for (const resource of started.splice(0).reverse()) await resource.stop();
}
