import { eventsOf } from '../support/history.ts';
import { runWorkflow, useWorkflowRuns } from '../support/workflow-runs.ts';

/** More steps than one run makes. */
const STEPS = 105;

describe('A batch with many steps', () => {
  useWorkflowRuns();

  it('continues in a new run, which limits the length of its history', async () => {
    let steps = 0;
    const run = await runWorkflow({
      type: 'runBatch',
      args: [{ batch_id: 'bat_01h455vb4pex5vsknk084sn02q' }],
      activities: {
        continueBatch: async () => {
          const status = ++steps < STEPS ? 'running' : 'completed';
          return { status, total: 1, begun: 1, ended: 0, isHeld: true };
        },
      },
    });
    expect([run.status, steps]).to.deep.equal(['COMPLETED', STEPS]);
    expect(eventsOf(run.history).length).to.be.below(100);
  });
});
