import { expect } from 'chai';
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createSweepLostSessions } from '../../../activities/sweeps/sweep-lost-sessions.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { VendorCallModel } from '../../../db/models/vendor-call.ts';
import { createAssistant, createSession, createUser } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Times are relative to the test, not to the loading of its file. */
type Lazy<T> = T | (() => T);
const valueNow = <T>(value: Lazy<T>): T => (value instanceof Function ? value() : value);

interface Run {
  status: string;
  closeTime?: Date;
}

/** Temporal as the sweep sees it: the session's latest run. What is not of this test runs well. */
function temporalWith(sessionId: string, run: Run | undefined) {
  const started: string[] = [];
  const asked: string[] = [];
  const client = {
    workflow: {
      getHandle: (id: string) => ({
        async describe() {
          asked.push(id);
          const { status, closeTime } = id === sessionId ? (run ?? { status: '' }) : { status: 'RUNNING' };
          if (status === '') throw new WorkflowNotFoundError('not found', id, undefined);
          return { status: { name: status }, closeTime };
        },
        signal: async () => undefined,
      }),
      start: async (_type: string, { workflowId }: { workflowId: string }) => void started.push(workflowId),
    },
  };
  return { started, asked, client: client as unknown as Client };
}

describe('The sweep for sessions that no workflow works on', () => {
  let assistant: AssistantModel;
  before(async () => {
    assistant = await createAssistant((await createUser()).user.id);
  });

  async function sweep(fields: Partial<SessionModel>, run: Run | undefined) {
    const session = await createSession(assistant, {
      queued_at: minutesAgo(5),
      check_after: minutesAgo(1),
      ...fields,
    });
    const { started, client } = temporalWith(session.id, run);
    await createSweepLostSessions({ client, log: silentLog, maxSessionsInFlight: 50 })();
    const row = await SessionModel.query().findById(session.id).throwIfNotFound();
    return { session, row, isStarted: started.includes(session.id) };
  }

  const cases: [string, Lazy<Partial<SessionModel>>, Lazy<Run> | undefined, string][] = [
    ['has none is started', { status: 'queued' }, undefined, 'started'],
    ['has lost its workflow with Temporal’s data is started', { status: 'analyzing' }, undefined, 'started'],
    ['runs is left alone', { status: 'analyzing' }, { status: 'RUNNING' }, 'queued or running'],
    ['waits for a worker is left alone', { status: 'queued' }, { status: 'RUNNING' }, 'queued or running'],
    [
      'was queued a moment ago is left alone',
      () => ({ queued_at: minutesAgo(0.5), check_after: minutesAgo(-0.5) }),
      undefined,
      'queued or running',
    ],
    [
      'was retried, and whose earlier run failed, is started',
      { status: 'queued' },
      () => ({ status: 'FAILED', closeTime: minutesAgo(6) }),
      'started',
    ],
    [
      'was retried right after the failure, by clocks that differ, is started',
      { status: 'queued' },
      () => ({ status: 'FAILED', closeTime: minutesAgo(4) }),
      'started',
    ],
    [
      'was retried, and whose earlier run was terminated, is started',
      { status: 'queued' },
      () => ({ status: 'TERMINATED', closeTime: minutesAgo(6) }),
      'started',
    ],
    [
      'was terminated in the queue is failed',
      { status: 'queued' },
      () => ({ status: 'TERMINATED', closeTime: minutesAgo(4) }),
      'failed',
    ],
    [
      'was terminated in its analysis is failed',
      { status: 'analyzing' },
      () => ({ status: 'TERMINATED', closeTime: minutesAgo(4) }),
      'failed',
    ],
    [
      'ran out of time is failed',
      { status: 'transcribing' },
      () => ({ status: 'TIMED_OUT', closeTime: minutesAgo(1) }),
      'failed',
    ],
  ];
  for (const [what, fields, run, end] of cases) {
    it(`a session that ${what}`, async () => {
      const { session, row, isStarted } = await sweep(valueNow(fields), run && valueNow(run));
      expect(isStarted).to.equal(end === 'started');
      expect(row.status).to.equal(end === 'failed' ? 'failed' : session.status);
    });
  }

  for (const status of ['queued', 'analyzing'] as const) {
    it(`asks for the run of a session once, and not again before its time: ${status}`, async () => {
      const session = await createSession(assistant, { status, check_after: minutesAgo(1) });
      const { asked, client } = temporalWith(session.id, { status: 'RUNNING' });
      const sweepAgain = createSweepLostSessions({ client, log: silentLog, maxSessionsInFlight: 50 });
      for (let i = 0; i < 3; i++) await sweepAgain();
      expect(asked.filter((id) => id === session.id)).to.have.length(1);
      await SessionModel.query()
        .findById(session.id)
        .patch({ check_after: minutesAgo(1) });
      await sweepAgain();
      expect(asked.filter((id) => id === session.id)).to.have.length(2);
    });
  }

  it('says of a session that it fails that its workflow was ended, and that a retry may help', async () => {
    const { row } = await sweep({ status: 'transcribing' }, { status: 'TERMINATED', closeTime: minutesAgo(1) });
    expect(row.error).to.deep.include({ code: 'terminated', stage: 'transcription', retryable: true });
    expect(row.completed_at).not.to.equal(null);
  });

  it('marks the calls as lost that a session which it fails has open', async () => {
    const session = await createSession(assistant, { status: 'analyzing', check_after: minutesAgo(1) });
    const { id: session_id, user_id, assistant_id } = session;
    const call = { session_id, user_id, assistant_id, step: 'analysis' as const, provider: 'openai' as const };
    await VendorCallModel.query().insert({ ...call, attempt: 1 });
    const { client } = temporalWith(session.id, { status: 'TERMINATED', closeTime: minutesAgo(1) });
    await createSweepLostSessions({ client, log: silentLog, maxSessionsInFlight: 50 })();
    const [found] = await VendorCallModel.findOfSession(session.id);
    expect(found?.status).to.equal('lost');
  });
});
