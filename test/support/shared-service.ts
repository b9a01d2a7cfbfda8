/** The service that files of one process share, as long as they follow one another and leave it as they found it. */
import type { TestService } from './service.ts';

/** Nobody ends it for the others. */
export type SharedService = Omit<TestService, 'stop'>;

let shared: Promise<TestService> | undefined;
let isWanted = false;

/**
 * Has the tests of a file run against the shared service. What it returns is filled in before the first of them: take it
 * apart within tests and hooks only.
 */
export function useSharedService(): SharedService {
  isWanted = true;
  const service = {} as SharedService;
  before(async function () {
    this.timeout(0);
    Object.assign(service, await (shared ??= start()));
  });
  afterEach(() => service.providers.pass());
  return service;
}

/** Imports it late: a file without a service begins sooner. */
async function start(): Promise<TestService> {
  const { startTestService } = await import('./service.ts');
  return startTestService();
}

/** Ends it before a file that does not use it: its worker would take the tasks of that file's own. */
export async function endUnusedService(): Promise<void> {
  const unused = isWanted ? undefined : shared;
  isWanted = false;
  if (!unused) return;
  shared = undefined;
  await (await unused).stop();
}
