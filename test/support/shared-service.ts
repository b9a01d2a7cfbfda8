/** A service that consecutive test files of a process share. Tests must leave it as they found it. */
import { useConnections } from './database.ts';
import type { TestService } from './service.ts';

/** Without `stop`, because other tests still use the service. */
export type SharedService = Omit<TestService, 'stop'>;

let shared: Promise<TestService> | undefined;
let isWanted = false;

/**
 * Starts the shared service for the tests of a file. The returned object is filled before the first test: destructure it only
 * in tests and hooks.
 */
export function useSharedService(): SharedService {
  isWanted = true;
  useConnections();
  const service = {} as SharedService;
  before(async function () {
    this.timeout(0);
    Object.assign(service, await (shared ??= start()));
  });
  afterEach(() => service.providers.pass());
  return service;
}

/** Starts the service. Imports it dynamically, so files without a service start faster. */
async function start(): Promise<TestService> {
  const { startTestService } = await import('./service.ts');
  return startTestService();
}

/** Stops the service before a file that does not use it, because its worker would take the tasks of that file's worker. */
export async function endUnusedService(): Promise<void> {
  const unused = isWanted ? undefined : shared;
  isWanted = false;
  if (!unused) return;
  shared = undefined;
  await (await unused).stop();
}
