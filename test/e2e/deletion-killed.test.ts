import { expect } from 'chai';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { findDeletedUsers } from '../../db/queries/deleted-users.ts';
import { UserModel } from '../../db/models/user.ts';
import { createVoiceSession, hasRecording } from '../support/audio.ts';
import { findTables } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { testTemporal } from '../support/temporal.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const SESSIONS = 200;
const BEGIN_TIMEOUT_MS = 60_000;
/** The deletion takes a second. */
const POLL_MS = 20;

describe('kill -9 of the worker in the middle of the deletion of an account', () => {
  let worker: StartedProcess | undefined;
  after(async function () {
    this.timeout(0);
    worker?.signal('SIGTERM');
    await worker?.ended;
  });

  const sweep = async (workflowId: string) => {
    const { client } = (await testTemporal()).temporal;
    await client.workflow.start(WORKFLOWS.removeDeletedAccounts, { taskQueue: TASK_QUEUE, workflowId });
  };

  it('leaves what the next sweep goes on with, to the last row and recording', async function () {
    this.timeout(0);
    const { user } = await createUser();
    const text = await createAssistant(user.id);
    const voice = await createAssistant(user.id, { type: 'voice' });
    const done = { status: 'completed', completed_at: new Date() } as const;
    const recorded = await createVoiceSession(voice, done);
    for (let left = SESSIONS; left > 0; left--) await createSession(text, done);
    await UserModel.query().findById(user.id).patch({ deleted_at: new Date() });

    const countLeft = () => SessionModel.query().where({ user_id: user.id }).resultSize();
    worker = await startWorkerProcess();
    await sweep('deletion-killed-1');
    await eventually(countLeft, (left) => left <= SESSIONS, BEGIN_TIMEOUT_MS, POLL_MS);
    worker.signal('SIGKILL');
    await worker.ended;
    expect(await countLeft(), 'left by the worker that was killed').to.be.greaterThan(0);

    worker = await startWorkerProcess();
    await sweep('deletion-killed-2');
    const isLeft = async () => (await findDeletedUsers(100)).some(({ id }) => id === user.id);
    await eventually(isLeft, (left) => !left, BEGIN_TIMEOUT_MS);
    expect(await findTables(user.id)).to.deep.equal([]);
    expect(await hasRecording(recorded.id)).to.equal(false);
  });
});
