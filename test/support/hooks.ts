/** Starts the servers of a run once, and gives each of its processes a database of its own. */
import type { Runner } from 'mocha';
import { SessionModel } from '../../db/models/session.ts';
import { loadWorkflowBundle } from '../../worker/workflow-bundle.ts';
import { startTestDatabase } from './database.ts';
import { startRun } from './run.ts';
import type { TestRun } from './run.ts';
import { endUnusedService } from './shared-service.ts';
import { printSlowest } from './slowest.ts';

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

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000);
    await startTestDatabase();
    await endUnusedService();
    // Sweeps would take up what an earlier file of this process left unfinished.
    await SessionModel.query().delete().whereNull('completed_at');
  },
};
