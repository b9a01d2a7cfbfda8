/** Mocha's hooks: start the servers of a run once, and give each test process its own database. */
import type { Runner } from 'mocha';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { INSTALLATION_KEY } from '../../runtime/audio/store.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { testAudioStore } from './audio.ts';
import { isPassing, startTestDatabase } from './database.ts';
import { printFailedPages } from './failed-pages.ts';
import { startRun, type TestRun } from './run.ts';
import { endUnusedService } from './shared-service.ts';
import { printSlowest } from './slowest.ts';
import { stopStarted } from './stop-after-test.ts';

let run: TestRun | undefined;

export async function mochaGlobalSetup(this: Runner): Promise<void> {
  printSlowest(this);
  run = startRun();
  // Built here, because otherwise several processes would build it at the same time.
  await loadWorkflowBundle();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await run?.stop();
}

/** The test file that is running in this process. */
let file: string | undefined;

/** Reports errors outside of tests. Mocha assigns them to an arbitrary test, even of a later file, or ignores them. */
const report = (error: unknown, origin?: unknown) =>
  console.error(
    `\nOutside of a test of ${file}: ${origin === 'uncaughtException' ? 'error' : 'rejected promise'}`,
    error,
  );
process.on('uncaughtExceptionMonitor', report);

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    file = this.test?.parent?.suites[0]?.file;
    // Added for each file, because Mocha removes the listener after each file.
    process.on('unhandledRejection', report);
    await startTestDatabase();
    await endUnusedService();
    await forgetUnfinished();
    // The processes of each file are an own installation: they may use another database, namespace of Temporal or key.
    await Promise.all([SessionModel.knex()('installation').delete(), testAudioStore().remove(INSTALLATION_KEY)]);
  },
  afterEach: [printFailedPages, stopStarted],
};

/**
 * Deletes unfinished sessions and deliveries of earlier files of this process, because sweeps would continue them. Retries
 * after a deadlock: a shared service may still write these rows.
 */
async function forgetUnfinished(tries = 20): Promise<void> {
  try {
    await SessionModel.query().delete().whereNull('completed_at');
    await DeliveryModel.query().delete().where({ status: 'pending' });
  } catch (error) {
    if (!isPassing(error) || tries === 1) throw error;
    await forgetUnfinished(tries - 1);
  }
}
