import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'chai';
import type { AnalysisOutcome } from '../../activities/sessions/analyze-conversation.ts';
import type { EndSessionInput } from '../../activities/sessions/end-session.ts';
import type { TranscriptionOutcome } from '../../activities/sessions/transcribe-audio.ts';
import type { SessionError } from '../../contract/sessions.ts';
import type { AnalyzeSessionInput } from '../../contract/workflows.ts';
import { stepsOf, valuesOf } from '../support/history.ts';
import { testTemporal } from '../support/temporal.ts';
import { cancelOnceRunning, prepareWorkflowRuns, runWorkflow } from '../support/workflow-runs.ts';
import type { WorkflowToRun } from '../support/workflow-runs.ts';

const INPUT: AnalyzeSessionInput = { session_id: 'sess_01h455vb4pex5vsknk084sn02q', type: 'voice' };

const UNREADABLE: SessionError = {
  code: 'bad_input',
  stage: 'transcription',
  provider: 'whisper',
  message: 'whisper refused the request as invalid (HTTP 400)',
  retryable: false,
};

const failureOf = (error: SessionError, nonRetryable = true) =>
  ApplicationFailure.create({ message: error.message, type: error.code, details: [error], nonRetryable });

interface Steps {
  transcribe?: () => Promise<TranscriptionOutcome>;
  analyze?: () => Promise<AnalysisOutcome>;
}

/** A voice session whose steps end as told; by default well. */
async function run({ transcribe, analyze }: Steps, more: Partial<WorkflowToRun> = {}) {
  const ends: EndSessionInput[] = [];
  const inputs: unknown[] = [];
  const ran = await runWorkflow({
    type: 'analyzeSession',
    args: [INPUT],
    activities: {
      transcribeAudio: async (input) => {
        inputs.push(input);
        return transcribe ? transcribe() : { status: 'transcribed' };
      },
      analyzeConversation: async (input) => {
        inputs.push(input);
        return analyze ? analyze() : { status: 'completed', delivery_id: null };
      },
      endSession: async (input) => void ends.push(input),
      postWebhook: async () => ({ status: 'delivered', failure: null, status_code: 204 }),
    },
    ...more,
  });
  return { ...ran, ends, inputs, steps: stepsOf(ran.history).map(({ name }) => name) };
}

describe('the workflow of a voice session', () => {
  before(async function () {
    this.timeout(0);
    await prepareWorkflowRuns();
  });

  it('§1 transcribes, then analyzes, then delivers', async () => {
    const { steps, status } = await run({ analyze: async () => ({ status: 'completed', delivery_id: 'dlv_1' }) });
    expect(status).to.equal('COMPLETED');
    expect(steps).to.deep.equal(['transcribeAudio', 'analyzeConversation', 'postWebhook']);
  });

  it('passes on nothing but what names the session, and shows in which step it is', async () => {
    const { inputs, history } = await run({});
    expect(inputs).to.deep.equal([INPUT, { ...INPUT, delivers: true }]);
    expect(valuesOf(history, 'SessionStatus')).to.deep.equal(['analyzing', 'completed']);
  });

  it('fails in the stage transcription when that fails for good, and asks no model', async () => {
    const { steps, ends, status, failure, history, details } = await run({
      transcribe: async () => {
        throw failureOf(UNREADABLE);
      },
    });
    expect(steps).to.deep.equal(['transcribeAudio', 'endSession']);
    expect(ends).to.deep.equal([{ ...INPUT, end: { status: 'failed', error: UNREADABLE } }]);
    expect(status).to.equal('FAILED');
    expect(failure).to.be.instanceOf(ApplicationFailure).and.include({ type: 'bad_input' });
    expect(valuesOf(history, 'SessionStatus').at(-1)).to.equal('failed');
    expect(details).to.equal(`Failed: ${UNREADABLE.message}`);
  });

  it('names the stage transcription also after a fault that nobody foresaw', async () => {
    const { inputs, ends } = await run({
      transcribe: async () => {
        throw ApplicationFailure.retryable('a bug', 'TypeError');
      },
    });
    expect(inputs).to.have.length(1);
    const [{ end } = {}] = ends;
    expect(end?.status === 'failed' && end.error).to.include({ code: 'internal', stage: 'transcription' });
  });

  it('does not ask again for a recording that the store does not have', async () => {
    const { inputs, status } = await run({
      transcribe: async () => {
        throw ApplicationFailure.retryable('gone', 'AudioMissingError');
      },
    });
    expect(inputs).to.have.length(1);
    expect(status).to.equal('FAILED');
  });

  it('transcribes again, by itself, after an end that may pass, and analyzes once', async () => {
    let calls = 0;
    const { steps, inputs, status } = await run({
      transcribe: async () => {
        if (++calls < 3) throw failureOf({ ...UNREADABLE, code: 'unavailable', retryable: true }, false);
        return { status: 'transcribed' };
      },
    });
    expect([status, calls, inputs.length]).to.deep.equal(['COMPLETED', 3, 4]);
    expect(steps).to.deep.equal(['transcribeAudio', 'analyzeConversation']);
  });

  it('does not transcribe again when the analysis fails', async () => {
    const error: SessionError = { ...UNREADABLE, stage: 'analysis', provider: 'openai' };
    const { steps, ends } = await run({
      analyze: async () => {
        throw failureOf(error);
      },
    });
    expect(steps).to.deep.equal(['transcribeAudio', 'analyzeConversation', 'endSession']);
    expect(ends).to.deep.equal([{ ...INPUT, end: { status: 'failed', error } }]);
  });

  for (const [status, workflow] of [
    ['gone', 'COMPLETED'],
    ['canceled', 'COMPLETED'],
    ['completed', 'COMPLETED'],
    ['failed', 'FAILED'],
  ] as const) {
    it(`asks no model when the session is ${status} by then, and ends as ${workflow}`, async () => {
      const ran = await run({ transcribe: async () => ({ status }) });
      expect([ran.status, ran.steps]).to.deep.equal([workflow, ['transcribeAudio']]);
      expect(ran.ends).to.deep.equal([]);
    });
  }

  describe('that is canceled', () => {
    before(async function () {
      this.timeout(0);
      await testTemporal();
    });

    it('interrupts the transcription, ends the session as canceled, and asks no model', async () => {
      const { untilInterrupted, options } = cancelOnceRunning();
      const { steps, ends, status } = await run({ transcribe: untilInterrupted }, options);
      expect(status).to.equal('CANCELLED');
      expect(steps).to.deep.equal(['transcribeAudio', 'endSession']);
      expect(ends).to.deep.equal([{ ...INPUT, end: { status: 'canceled' } }]);
    });
  });
});
