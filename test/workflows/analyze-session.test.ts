import { ApplicationFailure } from '@temporalio/common';
import type { PostWebhookInput } from '../../activities/webhooks/post-webhook.ts';
import type { AnalysisOutcome } from '../../activities/sessions/analyze-conversation.ts';
import type { EndSessionInput } from '../../activities/sessions/end-session.ts';
import type { TranscriptionOutcome } from '../../activities/sessions/transcribe-audio.ts';
import { failure } from '../../contract/errors/failures.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import { stepsOf, valuesOf } from '../support/history.ts';
import { cancelOnceRunning, runWorkflow, useWorkflowRuns, type WorkflowToRun } from '../support/workflow-runs.ts';

type Type = 'text' | 'voice';

const TYPES: Type[] = ['text', 'voice'];
const SESSION_ID = 'sess_01h455vb4pex5vsknk084sn02q';

const errorIn = (stage: SessionError['stage']): SessionError => ({
  code: 'auth',
  stage,
  provider: 'openai',
  message: 'openai refused the API key, or the account has no credit (HTTP 401)',
  retryable: false,
});

const finalFailure = (error: SessionError) =>
  ApplicationFailure.create({ message: error.message, type: error.code, details: [error], nonRetryable: true });

interface Steps {
  transcribe?: () => Promise<TranscriptionOutcome>;
  analyze?: () => Promise<AnalysisOutcome>;
}

/** Runs a session with the given steps. By default, both steps succeed and there is no webhook. */
async function run(
  type: Type,
  {
    transcribe = async () => ({ status: 'transcribed' }),
    analyze = async () => ({ status: 'completed', delivery_id: null }),
  }: Steps = {},
  options: Partial<WorkflowToRun> = {},
) {
  const ends: EndSessionInput['end'][] = [];
  const inputs: unknown[] = [];
  const posts: PostWebhookInput[] = [];
  const ran = await runWorkflow({
    type: 'analyzeSession',
    args: [{ session_id: SESSION_ID, type }],
    activities: {
      transcribeAudio: async (input) => {
        inputs.push(input);
        return transcribe();
      },
      analyzeConversation: async (input) => {
        inputs.push(input);
        return analyze();
      },
      endSession: async ({ session_id, end }) => {
        expect(session_id).to.equal(SESSION_ID);
        ends.push(end);
      },
      postWebhook: async (input) => {
        posts.push(input);
        return { status: 'delivered', failure: null, status_code: 204 };
      },
    },
    ...options,
  });
  const statuses = valuesOf(ran.history, 'SessionStatus');
  return { ...ran, ends, inputs, posts, statuses, steps: stepsOf(ran.history).map(({ name }) => name) };
}

/** Returns a step that throws `failure` the first `count` times. */
function failing<T>(failure: Error, result: T, count = Infinity): () => Promise<T> {
  let calls = 0;
  return async () => {
    if (++calls <= count) throw failure;
    return result;
  };
}

const DONE: AnalysisOutcome = { status: 'completed', delivery_id: null };

describe('The workflow of a session', () => {
  useWorkflowRuns();

  for (const type of TYPES) {
    const stepsBefore = type === 'voice' ? ['transcribeAudio'] : [];

    describe(type, () => {
      it('§1 §6.1 runs its steps, then delivers the webhook', async () => {
        const analyze = async () => ({ ...DONE, delivery_id: 'dlv_1' });
        const { status, steps, posts } = await run(type, { analyze });
        expect(status).to.equal('COMPLETED');
        expect(steps).to.deep.equal([...stepsBefore, 'analyzeConversation', 'postWebhook']);
        expect(posts).to.deep.equal([{ delivery_id: 'dlv_1', attempt: 1, payer: '' }]);
      });

      it('§6.1 ends after the analysis without a webhook, passes only IDs, and shows its status', async () => {
        const { status, steps, inputs, result, statuses, history } = await run(type);
        expect(status).to.equal('COMPLETED');
        expect(steps).to.deep.equal([...stepsBefore, 'analyzeConversation']);
        const input = { session_id: SESSION_ID, type, caller: { payer: '', is_awaited: false } };
        expect(inputs).to.deep.equal(steps.map(() => input));
        expect(result).to.be.oneOf([undefined, null]);
        expect(statuses).to.deep.equal([...(type === 'voice' ? ['analyzing'] : []), 'completed']);
        expect(valuesOf(history, 'DeliveryStatus')).to.deep.equal([]);
      });

      it('retries a step until a temporary failure is over, without history events for retries', async () => {
        const outage = ApplicationFailure.retryable('unavailable', 'unavailable');
        const { status, steps, inputs, ends } = await run(type, {
          transcribe: failing(outage, { status: 'transcribed' }, 2),
          analyze: failing(outage, DONE, 10),
        });
        expect(status).to.equal('COMPLETED');
        expect(inputs).to.have.length(type === 'voice' ? 3 + 11 : 11);
        expect(steps).to.deep.equal([...stepsBefore, 'analyzeConversation']);
        expect(ends).to.deep.equal([]);
      });

      for (const [status, end] of [
        ['gone', 'COMPLETED'],
        ['canceled', 'COMPLETED'],
        ['completed', 'COMPLETED'],
        ['failed', 'FAILED'],
      ] as const) {
        it(`runs no further step if the session is already ${status}, and ends as ${end}`, async () => {
          const analyze = async () => ({ status, delivery_id: null });
          const ran = await run(type, { transcribe: async () => ({ status }), analyze });
          expect(ran.steps).to.have.length(1);
          expect([ran.status, ran.ends]).to.deep.equal([end, []]);
          if (status !== 'gone') return;
          expect(ran.statuses).to.deep.equal([]);
          expect(ran.details).to.contain('deleted');
        });
      }
    });
  }

  for (const [type, step, stage, steps] of [
    ['text', 'analyze', 'analysis', ['analyzeConversation']],
    ['voice', 'transcribe', 'transcription', ['transcribeAudio']],
    ['voice', 'analyze', 'analysis', ['transcribeAudio', 'analyzeConversation']],
  ] as const) {
    it(`of ${type} fails with the error of the failed ${stage}, shows the error, and runs no further step`, async () => {
      const error = errorIn(stage);
      const ran = await run(type, { [step]: failing(finalFailure(error), DONE) });
      expect(ran.steps).to.deep.equal([...steps, 'endSession']);
      expect(ran.ends).to.deep.equal([{ status: 'failed', error }]);
      expect(ran.status).to.equal('FAILED');
      expect(ran.failure).to.be.instanceOf(ApplicationFailure).and.include({ type: 'auth' });
      expect(ran.statuses.at(-1)).to.equal('failed');
      expect(ran.details).to.equal(`Failed: ${error.message}`);
    });
    if (steps.length > 1) continue;

    for (const name of ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'ZodError', 'AudioMissingError']) {
      it(`does not retry the ${stage} after ${name}, because a retry would fail too and may cost money`, async () => {
        const bug = ApplicationFailure.retryable('a bug', name);
        const { inputs, status, ends } = await run(type, { [step]: failing(bug, DONE) });
        expect([inputs.length, status]).to.deep.equal([1, 'FAILED']);
        const error = { code: 'internal', stage, provider: null, ...failure('step_failed'), retryable: true };
        expect(ends).to.deep.equal([{ status: 'failed', error }]);
      });
    }

    it(`interrupts the running ${stage} when it is canceled, and ends the session as canceled`, async () => {
      const { untilInterrupted, options } = cancelOnceRunning();
      const ran = await run(type, { [step]: untilInterrupted }, options);
      expect(ran.steps).to.deep.equal([...steps, 'endSession']);
      expect(ran.ends).to.deep.equal([{ status: 'canceled' }]);
      expect([ran.status, ran.statuses.at(-1)]).to.deep.equal(['CANCELLED', 'canceled']);
    });
  }

  it('replaces two lost workers, and fails with `internal` after the third', async () => {
    const silent = () => new Promise<never>(() => undefined);
    const analyses = [silent, silent, async () => DONE];
    const quick = { server: 'dev', heartbeatTimeout: '1 s' } as const;
    const [recovered, failed] = await Promise.all([
      run('text', { analyze: () => analyses.shift()!() }, quick),
      run('text', { analyze: silent }, quick),
    ]);
    expect([recovered.status, recovered.inputs.length]).to.deep.equal(['COMPLETED', 3]);
    expect([failed.status, failed.inputs.length]).to.deep.equal(['FAILED', 3]);
    expect(failed.ends).to.have.length(1);
    const [end] = failed.ends;
    expect(end?.status === 'failed' && end.error).to.include({ code: 'internal', stage: 'analysis' });
  });

  it('fails the session if the analysis has not ended after two days', async () => {
    const { inputs, status, ends } = await run('text', {
      analyze: failing(ApplicationFailure.create({ message: 'again', type: 'test', nextRetryDelay: '14 hours' }), DONE),
    });
    expect(inputs).to.have.length(4);
    expect(status).to.equal('FAILED');
    expect(ends.map((end) => end.status)).to.deep.equal(['failed']);
  });

  it('ends the session as canceled if the interrupted analysis reports another failure', async () => {
    const { untilInterrupted, options } = cancelOnceRunning();
    const analyze = async () => {
      await untilInterrupted().catch(() => undefined);
      throw finalFailure(errorIn('analysis'));
    };
    const { ends, status } = await run('text', { analyze }, options);
    expect(ends).to.deep.equal([{ status: 'canceled' }]);
    expect(status).to.equal('CANCELLED');
  });
});

describe('The workflow that sweeps lost sessions', () => {
  useWorkflowRuns();

  it('reports how many sessions it started and how many it failed', async () => {
    const sweepLostSessions = async () => ({ started: 2, failed: 1 });
    const run = await runWorkflow({ type: 'sweepLostSessions', activities: { sweepLostSessions } });
    expect(run.result).to.deep.equal({ started: 2, failed: 1 });
  });
});
