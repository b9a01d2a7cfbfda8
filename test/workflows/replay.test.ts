import { DeterminismViolationError } from '@temporalio/workflow';
import { Worker } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import type { History } from '../support/history.ts';
import { runWorkflow, useWorkflowRuns, workflowBundle } from '../support/workflow-runs.ts';

/** Replays a history. Returns the error, if it does not fit the code. */
async function replay(history: History, change = (code: string) => code): Promise<unknown> {
  const bundle = { code: change((await workflowBundle()).code) };
  const results = Worker.runReplayHistories({ workflowBundle: bundle }, [{ workflowId: 'replayed', history }]);
  for await (const { error } of results) return error;
}

describe('A worker that takes over a run', () => {
  useWorkflowRuns();
  // A replay hooks all promises of this process, which would slow the files that follow.
  after(() => globalHandlers.uninstall());

  it('repeats the same steps, signals and waits of a session, and notices another step', async () => {
    const { history } = await runWorkflow({
      type: 'analyzeSession',
      args: [{ session_id: 'sess_1', type: 'voice', fetches: true }],
      activities: {
        fetchAudio: () => Promise.resolve({ status: 'fetched' }),
        transcribeAudio: () => Promise.resolve({ status: 'transcribed' }),
        analyzeConversation: () => Promise.resolve({ status: 'completed', delivery_id: 'dlv_1' }),
        postWebhook: ({ attempt }) =>
          Promise.resolve({ status: attempt < 4 ? 'pending' : 'failed', failure: 'connect', status_code: null }),
      },
    });
    expect(await replay(history)).to.equal(undefined);
    const changed = await replay(history, (code) => code.replaceAll('transcribeAudio', 'writeDown'));
    expect(changed).to.be.instanceOf(DeterminismViolationError);
  });
});
