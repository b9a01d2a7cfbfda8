import { expect } from 'chai';
import { eventsOf } from '../support/history.ts';
import { runWorkflow, useWorkflowRuns } from '../support/workflow-runs.ts';
import type { WorkflowToRun } from '../support/workflow-runs.ts';

/** More steps than one run makes. */
const STEPS = 105;

describe('A workflow with many steps', () => {
  useWorkflowRuns();

  /** Workflows with this many steps. Each step calls `count`. */
  const RUNS: Record<string, (count: () => 'running' | 'completed') => WorkflowToRun> = {
    'a batch': (count) => ({
      type: 'runBatch',
      args: [{ batch_id: 'bat_01h455vb4pex5vsknk084sn02q' }],
      activities: {
        continueBatch: async () => ({ status: count(), total: 1, begun: 1, ended: 0, isHeld: true }),
      },
    }),
    'a redelivery of many': (count) => ({
      type: 'redeliverMany',
      args: [{ redelivery_id: 'rdl_01h455vb4pex5vsknk084sn02q' }],
      activities: {
        continueRedelivery: async () => ({ status: count(), total: 1, started: 1, pending: 1 }),
      },
    }),
  };
  for (const [name, describeRun] of Object.entries(RUNS)) {
    it(`continues in a new run, which limits the length of its history: ${name}`, async () => {
      let steps = 0;
      const run = await runWorkflow(describeRun(() => (++steps < STEPS ? 'running' : 'completed')));
      expect([run.status, steps]).to.deep.equal(['COMPLETED', STEPS]);
      expect(eventsOf(run.history).length).to.be.below(100);
    }).timeout(60_000);
  }
});
