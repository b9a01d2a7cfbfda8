import { expect } from 'chai';
import { createBatch, getBatch } from '../../contract/batches.ts';
import type { Batch } from '../../contract/batches.ts';
import { PROVIDERS } from '../../contract/constants.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { send } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';
import { useTestApi } from '../support/set-up.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { endWorkerProcess, startWorkerProcess } from '../support/worker-process.ts';

const SESSIONS = 48;

/** A worker's death is noticed after 15 s of silence. */
const END_TIMEOUT_MS = 120_000;

describe('kill -9 of the worker in the middle of a batch', () => {
  const api = useTestApi();
  let vendors: RunningVendors;
  let worker: StartedProcess | undefined;
  before(async () => {
    vendors = await startVendors();
  });
  after(async function () {
    this.timeout(0);
    await endWorkerProcess(worker);
    await vendors.stop();
  });

  const startWorker = () => startWorkerProcess(standInEnvironment(PROVIDERS, vendors.url) as Record<string, string>);

  it('leaves no session out, makes none twice, and pays for each once', async function () {
    this.timeout(0);
    const { user, token } = await createUser();
    const assistant = await createAssistant(user.id);
    const ended = { status: 'completed' as const, completed_at: new Date() };
    const sources = await Promise.all(Array.from({ length: SESSIONS }, () => createSession(assistant, ended)));
    worker = await startWorker();
    const filter = { assistant_id: assistant.id };
    const { batch_id } = (await send(api, createBatch, { token, body: { action: 'reanalyze', filter } })).body as Batch;
    const read = async () => (await send(api, getBatch, { token, params: { id: batch_id } })).body;
    await eventually(read, ({ completed }) => completed >= SESSIONS / 4, END_TIMEOUT_MS);
    worker.signal('SIGKILL');
    await worker.ended;
    expect((await read()).status).to.equal('running');
    worker = await startWorker();

    const done = await eventually(read, ({ ended_at }) => ended_at !== null, END_TIMEOUT_MS);

    expect(done).to.include({ status: 'completed', completed: SESSIONS, failed: 0, remaining: 0 });
    const made = await SessionModel.query().where({ batch_id });
    const sourceIds = made.map(({ source_session_id }) => source_session_id);
    expect(sourceIds.sort()).to.deep.equal(sources.map(({ id }) => id).sort());
    const paid = await VendorCallModel.query().where({ user_id: user.id, status: 'succeeded' });
    expect(paid.map(({ session_id }) => session_id).sort()).to.deep.equal(made.map(({ id }) => id).sort());
  });
});
