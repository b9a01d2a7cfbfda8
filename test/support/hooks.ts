/** Starts the servers of a run once, and gives each of its processes a database of its own. */
import type { Runner } from 'mocha';
import { SessionModel } from '../../db/models/session.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { startTestDatabase } from './database.ts';
import { startRun } from './run.ts';
import type { TestRun } from './run.ts';
import { endUnusedService } from './shared-service.ts';
import { printSlowest } from './slowest.ts';
import { stopStarted } from './stop-after-test.ts';

/** PostgreSQL's code of a transaction that it broke off, since another waits for it. */
const DEADLOCK = '40P01';

let run: TestRun | undefined;

export async function mochaGlobalSetup(this: Runner): Promise<void> {
  printSlowest(this);
  run = startRun();
  // Here, so that no two processes build it at once.
  await loadWorkflowBundle();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await run?.stop();
}

/** The file whose tests run in this process. */
let file: string | undefined;

/** Mocha reports an error outside of a test at any test, also of a later file, and ignores a rejected promise. */
const report = (error: unknown, origin?: unknown) =>
  console.error(
    `\nOutside of a test of ${file}: ${origin === 'uncaughtException' ? 'error' : 'rejected promise'}`,
    error,
  );
process.on('uncaughtExceptionMonitor', report);

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000);
    file = this.test?.parent?.suites[0]?.file;
    // Mocha removes it after each file.
    process.on('unhandledRejection', report);
    await startTestDatabase();
    await endUnusedService();
    await forgetUnfinished();
  },
  afterEach: stopStarted,
};

/**
 * Removes what an earlier file of this process left unfinished: sweeps would take it up. A service that is shared may still
 * write of it, so what PostgreSQL broke off as a deadlock is done again.
 */
async function forgetUnfinished(tries = 5): Promise<void> {
  try {
    await SessionModel.query().delete().whereNull('completed_at');
  } catch (error) {
    const { nativeError } = error as { nativeError?: { code?: string } };
    if (nativeError?.code !== DEADLOCK || tries === 1) throw error;
    await forgetUnfinished(tries - 1);
  }
}
