import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { createSweepLostSessions } from '../../../activities/sweeps/sweep-lost-sessions.ts';
import type { AssistantModel } from '../../../db/models/assistant.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { createOwner, createSession } from '../../support/factories.ts';
import { silentLog } from '../../support/log.ts';
import { insertCall, ledgerOf } from '../sessions/analysis.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Status of a session's latest run in Temporal, and minutes since the run ended. */
type Run = [status: string, endedMinutesAgo?: number];

/** A Temporal client with this run for one session. All other sessions are running. */
function temporalWith(sessionId: string, run: Run | undefined) {
  const started: string[] = [];
  const checked: string[] = [];
  const client = {
    workflow: {
      getHandle: (id: string) => ({
        async describe() {
          checked.push(id);
          const [name, ended] = (id === sessionId ? run : ['RUNNING', undefined]) ?? [];
          if (name === undefined) throw new WorkflowNotFoundError('not found', id, undefined);
          return { status: { name }, closeTime: ended === undefined ? undefined : minutesAgo(ended) };
        },
        signal: async () => undefined,
      }),
      start: async (_type: string, { workflowId }: { workflowId: string }) => void started.push(workflowId),
    },
  };
  return { started, checked, client: client as unknown as Client };
}

describe('The sweep of sessions without a running workflow', () => {
  let assistant: AssistantModel;
  before(async () => {
    ({ assistant } = await createOwner());
  });

  /** Sweeps a session that was queued five minutes ago. */
  async function sweep(status: SessionModel['status'], run: Run | undefined, fields: Partial<SessionModel> = {}) {
    const times = { queued_at: minutesAgo(5), check_after: minutesAgo(1) };
    const session = await createSession(assistant, { status, ...times, ...fields });
    const temporal = temporalWith(session.id, run);
    const sweepAgain = createSweepLostSessions({ client: temporal.client, log: silentLog });
    await sweepAgain();
    const row = await SessionModel.query().findById(session.id).throwIfNotFound();
    return { ...temporal, session, row, sweepAgain, isStarted: temporal.started.includes(session.id) };
  }

  const CASES: [string, SessionModel['status'], Run | undefined, 'started' | 'unchanged' | 'failed'][] = [
    ['has no workflow', 'queued', undefined, 'started'],
    ["lost its workflow with Temporal's data", 'analyzing', undefined, 'started'],
    ['runs', 'analyzing', ['RUNNING'], 'unchanged'],
    ['waits for a worker', 'queued', ['RUNNING'], 'unchanged'],
    ['was retried after its run failed', 'queued', ['FAILED', 6], 'started'],
    ['was retried right after the failure, by clocks that differ', 'queued', ['FAILED', 4], 'started'],
    ['was retried after its run was terminated', 'queued', ['TERMINATED', 6], 'started'],
    ['was retried after its download failed', 'fetching', ['FAILED', 6], 'started'],
    ['was terminated in its download', 'fetching', ['TERMINATED', 4], 'failed'],
    ['was terminated in the queue', 'queued', ['TERMINATED', 4], 'failed'],
    ['was terminated in its analysis', 'analyzing', ['TERMINATED', 4], 'failed'],
    ['ran out of time', 'transcribing', ['TIMED_OUT', 1], 'failed'],
  ];
  for (const [what, status, run, end] of CASES) {
    it(`leaves a session ${end} that ${what}`, async () => {
      const { row, isStarted } = await sweep(status, run);
      expect(isStarted).to.equal(end === 'started');
      expect(row.status).to.equal(end === 'failed' ? 'failed' : status);
    });
  }

  it('does not start a session that has just been queued', async () => {
    const fields = { queued_at: minutesAgo(0.5), check_after: minutesAgo(-0.5) };
    const { isStarted } = await sweep('queued', undefined, fields);
    expect(isStarted).to.equal(false);
  });

  for (const status of ['queued', 'analyzing'] as const) {
    it(`checks the run of a session that is ${status} once in its interval`, async () => {
      const { session, checked, sweepAgain } = await sweep(status, ['RUNNING']);
      const countChecks = () => checked.filter((id) => id === session.id).length;
      for (let i = 0; i < 2; i++) await sweepAgain();
      expect(countChecks()).to.equal(1);
      await session.$query().patch({ check_after: minutesAgo(1) });
      await sweepAgain();
      expect(countChecks()).to.equal(2);
    });
  }

  it('stores with the failed session that its workflow was terminated, and that a retry can help', async () => {
    const { row } = await sweep('transcribing', ['TERMINATED', 1]);
    expect(row.error).to.deep.include({ code: 'terminated', stage: 'transcription', retryable: true });
    expect(row.completed_at).not.to.equal(null);
  });

  it('marks the open calls of a failed session as lost', async () => {
    const session = await createSession(assistant, { status: 'analyzing', check_after: minutesAgo(1) });
    await insertCall(session);
    const { client } = temporalWith(session.id, ['TERMINATED', 1]);
    await createSweepLostSessions({ client, log: silentLog })();
    expect((await ledgerOf(session)).map(({ status }) => status)).to.deep.equal(['lost']);
  });
});
