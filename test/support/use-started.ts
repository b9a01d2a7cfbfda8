/**
 * Starts something before the first test of a block and stops it after the last. The returned object is filled before the first
 * test: destructure it only in tests and hooks.
 */
export function useStarted<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  before(async function () {
    this.timeout(0);
    started = await start();
  });
  after(async function () {
    this.timeout(0);
    await started?.stop();
  });
  const current = (): T => {
    if (!started) throw new Error('it is started before the first test of the block');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(current(), key),
    set: (_, key, value) => Reflect.set(current(), key, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(current(), key),
  });
}
