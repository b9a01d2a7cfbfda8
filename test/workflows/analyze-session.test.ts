import { expect } from 'chai';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { AnalysisOutcome } from '../../activities/sessions/analyze-conversation.ts';
import type { EndSessionInput } from '../../activities/sessions/end-session.ts';
import type { SessionError } from '../../contract/sessions.ts';
import { delaysOf, eventsOf, stepsOf, valuesOf } from '../support/history.ts';
import { eventually } from '../support/eventually.ts';
import { testTemporal } from '../support/temporal.ts';
import { cancelOnceRunning, prepareWorkflowRuns, runWorkflow } from '../support/workflow-runs.ts';
import type { WorkflowToRun } from '../support/workflow-runs.ts';

const SESSION_ID = 'sess_01h455vb4pex5vsknk084sn02q';

const REFUSED: SessionError = {
  code: 'auth',
  stage: 'analysis',
  provider: 'openai',
  message: 'openai refused the API key, or the account has no credit (HTTP 401)',
  retryable: false,
};

/** A session whose analysis ends as `analyze` says. */
async function runAnalysis(
  analyze: () => Promise<AnalysisOutcome>,
  { activities, ...more }: Partial<WorkflowToRun> = {},
) {
  const ends: EndSessionInput[] = [];
  const inputs: unknown[] = [];
  const run = await runWorkflow({
    type: 'analyzeSession',
    args: [{ session_id: SESSION_ID }],
    activities: {
      analyzeConversation: async (input) => {
        inputs.push(input);
        return analyze();
      },
      endSession: async (input) => void ends.push(input),
      ...activities,
    },
    ...more,
  });
  return { ...run, ends, inputs };
}

const completed = async (): Promise<AnalysisOutcome> => ({ status: 'completed', delivery_id: null });

const fail = (error: SessionError, nonRetryable = true) =>
  ApplicationFailure.create({ message: error.message, type: error.code, details: [error], nonRetryable });

describe('the workflow of a session', () => {
  before(async function () {
    this.timeout(0);
    await prepareWorkflowRuns();
  });

  describe('whose analysis completes', () => {
    it('§6.1 ends with it when the assistant has no webhook', async () => {
      const run = await runAnalysis(completed);
      expect(run.status).to.equal('COMPLETED');
      expect(stepsOf(run.history).map(({ name }) => name)).to.deep.equal(['analyzeConversation']);
    });

    it('§6.1 delivers what the analysis left to deliver', async () => {
      const posts: unknown[] = [];
      const run = await runAnalysis(async () => ({ status: 'completed', delivery_id: 'dlv_1' }), {
        activities: {
          postWebhook: async (input) => {
            posts.push(input);
            return { status: 'delivered', failure: null, status_code: 204 };
          },
        },
      });
      expect(run.status).to.equal('COMPLETED');
      expect(posts).to.deep.equal([{ delivery_id: 'dlv_1', attempt: 1 }]);
    });

    it('passes on nothing but the id, with the wish for a first attempt, and answers with nothing', async () => {
      const run = await runAnalysis(completed);
      expect(run.inputs).to.deep.equal([{ session_id: SESSION_ID, delivers: true }]);
      expect(run.result).to.be.oneOf([undefined, null]);
    });

    it('shows where it stands as search attributes', async () => {
      const run = await runAnalysis(completed);
      expect(valuesOf(run.history, 'SessionStatus').at(-1)).to.equal('completed');
      expect(valuesOf(run.history, 'DeliveryStatus')).to.deep.equal([]);
    });
  });

  it('does nothing for a session that is gone, and says so', async () => {
    const run = await runAnalysis(async () => ({ status: 'gone', delivery_id: null }));
    expect(run.status).to.equal('COMPLETED');
    expect(run.ends).to.deep.equal([]);
    expect(valuesOf(run.history, 'SessionStatus')).not.to.include('gone');
    expect(run.details).to.contain('withdrawn or deleted');
  });

  describe('whose analysis fails for good', () => {
    it('ends the session with the reported error, and fails with its code', async () => {
      const run = await runAnalysis(async () => {
        throw fail(REFUSED);
      });
      expect(run.ends).to.deep.equal([{ session_id: SESSION_ID, end: { status: 'failed', error: REFUSED } }]);
      expect(run.status).to.equal('FAILED');
      expect(run.failure).to.be.instanceOf(ApplicationFailure).and.include({ type: 'auth' });
    });

    it('shows the failure to operators', async () => {
      const run = await runAnalysis(async () => {
        throw fail(REFUSED);
      });
      expect(valuesOf(run.history, 'SessionStatus').at(-1)).to.equal('failed');
      expect(run.details).to.equal(`Failed: ${REFUSED.message}`);
    });

    it('posts nothing', async () => {
      const run = await runAnalysis(async () => {
        throw fail(REFUSED);
      });
      expect(stepsOf(run.history).map(({ name }) => name)).to.deep.equal(['analyzeConversation', 'endSession']);
    });

    for (const name of ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'ZodError']) {
      it(`is not run again after ${name}: the same code would fail again and may pay again`, async () => {
        const run = await runAnalysis(async () => {
          throw ApplicationFailure.retryable('a bug', name);
        });
        expect(run.inputs).to.have.length(1);
        expect(run.status).to.equal('FAILED');
        expect(run.ends.map(({ end }) => end)).to.deep.equal([
          {
            status: 'failed',
            error: {
              code: 'internal',
              stage: 'analysis',
              provider: null,
              message: 'the step failed unexpectedly',
              retryable: true,
            },
          },
        ]);
      });
    }
  });

  it('runs the analysis again, by itself, after an end that may pass', async () => {
    let calls = 0;
    const run = await runAnalysis(async () => {
      if (++calls < 4) throw fail({ ...REFUSED, code: 'unavailable', retryable: true }, false);
      return completed();
    });
    expect(run.inputs).to.have.length(4);
    expect(run.status).to.equal('COMPLETED');
    expect(run.ends).to.deep.equal([]);
  });

  it('gives up after a day on an analysis that never ends, and ends the session', async () => {
    const run = await runAnalysis(async () => {
      throw ApplicationFailure.create({ message: 'again', type: 'test', nextRetryDelay: '7 hours' });
    });
    expect(run.inputs).to.have.length(4);
    expect(run.status).to.equal('FAILED');
    expect(run.ends.map(({ end }) => end.status)).to.deep.equal(['failed']);
  });

  describe('that is canceled', () => {
    before(async function () {
      this.timeout(0);
      await testTemporal();
    });

    it('interrupts the analysis, and ends the session as canceled', async () => {
      const { untilInterrupted, options } = cancelOnceRunning();
      let wasInterrupted = false;
      const run = await runAnalysis(
        () =>
          untilInterrupted().catch((error: unknown) => {
            wasInterrupted = true;
            throw error;
          }),
        options,
      );
      expect(wasInterrupted).to.equal(true);
      expect(run.ends).to.deep.equal([{ session_id: SESSION_ID, end: { status: 'canceled' } }]);
      expect(run.status).to.equal('CANCELLED');
      expect(valuesOf(run.history, 'SessionStatus').at(-1)).to.equal('canceled');
    });

    it('ends the session as canceled even if the analysis cannot say that it was interrupted', async () => {
      const { untilInterrupted, options } = cancelOnceRunning();
      const run = await runAnalysis(async () => {
        await untilInterrupted().catch(() => undefined);
        throw fail(REFUSED);
      }, options);
      expect(run.ends).to.deep.equal([{ session_id: SESSION_ID, end: { status: 'canceled' } }]);
      expect(run.status).to.equal('CANCELLED');
    });
  });

  describe('that waits for a slot', () => {
    const queued = async (): Promise<AnalysisOutcome> => ({ status: 'queued', delivery_id: null });
    const asks = (run: { inputs: unknown[] }) => run.inputs.length;

    it('asks again by itself, ever more seldom, and at last every 10 minutes', async () => {
      let asked = 0;
      const run = await runAnalysis(async () => (++asked < 9 ? queued() : completed()));
      expect(delaysOf(run.history)).to.deep.equal([
        ...[30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000],
      ]);
      expect(valuesOf(run.history, 'SessionStatus')).to.deep.equal(['queued', 'completed']);
    });

    it('asks at once when it is woken, and then no more than after 1 s, 2 s, 4 s …, however often it is', async () => {
      const asked: number[] = [];
      let handle: WorkflowHandle | undefined;
      const run = await runAnalysis(
        async () => {
          asked.push(Date.now());
          await handle?.signal('slotFree');
          return asked.length < 4 ? queued() : completed();
        },
        { server: 'dev', meanwhile: async (started) => void (handle = started) },
      );
      const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
      expect(pauses[1]).to.be.at.least(1_000);
      expect(pauses[2]).to.be.at.least(2_000);
      expect(asks(run)).to.equal(4);
    });

    for (const type of ['text', 'voice'] as const) {
      it(`goes on in new runs, together longer than a run may take: ${type}`, async () => {
        let asked = 0;
        const ask = async () => (++asked < 120 ? 'queued' : 'go');
        const run = await runAnalysis(
          async () => (type === 'voice' || (await ask()) === 'go' ? completed() : queued()),
          {
            args: [{ session_id: SESSION_ID, type }],
            activities: {
              transcribeAudio: async () => ({ status: (await ask()) === 'go' ? 'transcribed' : 'queued' }),
            },
            runTimeout: '12 hours',
          },
        );
        expect(asked).to.equal(120);
        expect(run.status).to.equal('COMPLETED');
        expect(eventsOf(run.history).length).to.be.below(1_000);
        const start = eventsOf(run.history)[0]?.workflowExecutionStartedEventAttributes;
        expect(start?.continuedExecutionRunId).not.to.be.oneOf([undefined, null, '']);
        // Operators find it as before.
        expect(start?.searchAttributes?.indexedFields).to.have.property('SessionStatus');
      });
    }

    it('can be canceled there', async () => {
      const run = await runAnalysis(queued, {
        async meanwhile(handle) {
          await eventually(
            async () => delaysOf(await handle.fetchHistory()),
            (delays) => delays.length > 0,
          );
          await handle.cancel();
        },
      });
      expect(run.ends).to.deep.equal([{ session_id: SESSION_ID, end: { status: 'canceled' } }]);
    });
  });

  it('fails when the session had failed before, so that its id stays free for a retry', async () => {
    const run = await runAnalysis(async () => ({ status: 'failed', delivery_id: null }));
    expect(run.status).to.equal('FAILED');
    expect(run.ends).to.deep.equal([]);
  });
});

describe('the workflow that sweeps lost sessions', () => {
  before(async function () {
    this.timeout(0);
    await prepareWorkflowRuns();
  });

  it('reports how many it started and how many it failed', async () => {
    const run = await runWorkflow({
      type: 'sweepLostSessions',
      activities: { sweepLostSessions: async () => ({ started: 2, failed: 1, woken: 0 }) },
    });
    expect(run.result).to.deep.equal({ started: 2, failed: 1, woken: 0 });
  });
});
