import type { Batch } from '../../contract/sessions/batches.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import type { WebhookPayload } from '../../contract/sessions/deliveries.ts';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import { SessionModel } from '../../db/models/session.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { WorkspaceModel } from '../../db/models/workspace.ts';
import { findDeletedWorkspaces } from '../../db/queries/deleted-workspaces.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { send } from '../support/api.ts';
import { createVoiceSession, hasRecording } from '../support/audio.ts';
import { findTables } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createAssistant, createOwner, createSession, createUser } from '../support/factories.ts';
import { startForwarder, startReceiver } from '../support/receiver.ts';
import { useTestApi } from '../support/set-up.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { StartedProcess } from '../support/started-service.ts';
import { testTemporal } from '../support/temporal.ts';
import { useStarted } from '../support/use-started.ts';
import { endWorkerProcess, startWorkerProcess } from '../support/worker-process.ts';

const WAITING_EACH = 4;
const IN_BATCH = 48;
const TO_DELETE = 100;
/** Long enough to start a webhook attempt, which lasts 10 s, in the middle of the batch. */
const BATCH_CALL_MS = 3_000;

/** Temporal detects a dead worker after 15 s in a step, and after 20 s in a webhook attempt. */
const RECOVERY_TIMEOUT_MS = 120_000;

const COMPLETED = { status: 'completed', completed_at: new Date() } as const;

/** All tests share one crash. Each test's work starts before it. */
describe('kill -9 of the worker', function () {
  this.timeout(0);
  const api = useTestApi();
  const standIns = useStarted(() => startStandIns());
  let provider: 'there' | 'away' | 'silent' = 'there';
  /** Calls that were not forwarded to the stand-in. */
  let unanswered = 0;
  const gate = useStarted(() =>
    startForwarder(standIns.url, async () => {
      if (provider === 'there') return undefined;
      unanswered += 1;
      return provider === 'away' ? 503 : new Promise<never>(() => undefined);
    }),
  );
  const receiver = useStarted(() =>
    startReceiver((response, { path, headers }) => {
      if (path !== '/silent' || headers['x-webhook-attempt'] !== '1') response.end();
    }),
  );
  let worker: StartedProcess | undefined;
  let posted: Awaited<ReturnType<typeof beginAttempt>>;
  let waiting: string[];
  let deletion: Awaited<ReturnType<typeof deleteWorkspace>>;
  let batch: Awaited<ReturnType<typeof beginBatch>>;
  before(async () => {
    worker = await startWorker();
    waiting = await beginOutage();
    deletion = await deleteWorkspace();
    batch = await beginBatch();
    posted = await beginAttempt();
    await sweepDeleted('deletion-killed-1');
    // Polls often, because the deletion takes only a second.
    await eventually(deletion.countLeft, (left) => left <= TO_DELETE, RECOVERY_TIMEOUT_MS, 20);
    worker.signal('SIGKILL');
    await worker.ended;
    deletion.left = await deletion.countLeft();
    expect((await batch.read()).status, 'the batch').to.equal('running');
    provider = 'there';
    worker = await startWorker();
  });
  after(() => endWorkerProcess(worker));

  const startWorker = () =>
    startWorkerProcess({ ...standInEnvironment(PROVIDERS, standIns.url), ...standInEnvironment(['openai'], gate.url) });

  const postsTo = (path: string) => receiver.requests.filter((request) => request.path === path);

  async function beginAttempt() {
    const { token, assistant } = await createOwner({ webhook_url: `${receiver.url}/silent` });
    const { body } = await send(api, 'testWebhook', { token, params: { id: assistant.id } });
    await eventually(() => postsTo('/silent').length, 1);
    return { token, params: { id: body.delivery_id } };
  }

  async function beginOutage(): Promise<string[]> {
    provider = 'away';
    const settings = { on_provider_outage: 'wait', webhook_url: `${receiver.url}/outage` } as const;
    const owners = [await createSessionOwner(() => api, settings), await createSessionOwner(() => api, settings)];
    const ids: string[] = [];
    for (let round = 0; round < WAITING_EACH; round++) for (const owner of owners) ids.push(await owner.submit());
    await eventually(
      () => SessionModel.query().whereIn('id', ids).whereNotNull('waiting').resultSize(),
      ids.length,
      RECOVERY_TIMEOUT_MS,
    );
    provider = 'silent';
    unanswered = 0;
    await eventually(
      () => unanswered,
      (calls) => calls >= 1,
      RECOVERY_TIMEOUT_MS,
    );
    return ids;
  }

  async function beginBatch() {
    const { user, token, assistant } = await createOwner({ llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' });
    const conversation = [{ role: 'client', text: `Hello. [provider delay_ms=${BATCH_CALL_MS}]` }];
    const create = () => createSession(assistant, { ...COMPLETED, conversation });
    const sources = await Promise.all(Array.from({ length: IN_BATCH }, create));
    const body = { action: 'reanalyze', filter: { assistant_id: assistant.id } };
    const { batch_id } = (await send(api, 'createBatch', { token, body })).body as Batch;
    const read = async () => (await send(api, 'getBatch', { token, params: { id: batch_id } })).body;
    await eventually(read, ({ completed }) => completed >= IN_BATCH / 4, RECOVERY_TIMEOUT_MS);
    return { workspace_id: user.default_workspace_id, sources, batch_id, read };
  }

  const sweepDeleted = async (workflowId: string) => {
    const { client } = (await testTemporal()).temporal;
    await client.workflow.start(WORKFLOWS.removeDeletedWorkspaces, { taskQueue: TASK_QUEUE, workflowId });
  };

  async function deleteWorkspace() {
    const { workspaceId: workspace_id } = await createUser();
    const text = await createAssistant(workspace_id);
    const recorded = await createVoiceSession(await createAssistant(workspace_id, { type: 'voice' }), COMPLETED);
    await Promise.all(Array.from({ length: TO_DELETE }, () => createSession(text, COMPLETED)));
    await WorkspaceModel.query().findById(workspace_id).patch({ deleted_at: new Date() });
    const countLeft = () => SessionModel.query().where({ workspace_id }).resultSize();
    return { workspace_id, recorded: recorded.id, countLeft, left: 0 };
  }

  it('records the running attempt as worker_lost, and makes the next one with the same delivery ID', async () => {
    const read = async () => (await send(api, 'getDelivery', posted)).body;
    const lost = await eventually(read, ({ attempts }) => attempts[0]?.outcome != null, RECOVERY_TIMEOUT_MS);
    expect(lost.attempts[0]).to.include({ outcome: 'failed', failure: 'worker_lost', status_code: null });
    expect(lost.next_attempt_at).to.be.a('string');
    expect(postsTo('/silent')).to.have.length(1);
    await send(api, 'retryDeliveryNow', posted);
    const delivered = await eventually(read, ({ status }) => status !== 'pending');
    expect(delivered.status).to.equal('delivered');
    expect(delivered.attempts.map(({ failure }) => failure)).to.deep.equal(['worker_lost', null]);
    const [first, second] = postsTo('/silent');
    expect(second?.headers['x-webhook-delivery']).to.equal(first?.headers['x-webhook-delivery']);
    expect(second?.headers['x-webhook-attempt']).to.equal('2');
    expect(second?.body).to.deep.equal(first?.body);
  });

  it('loses no session that waits for a provider; each is charged once, and each result is posted once', async () => {
    await eventually(
      () => SessionModel.query().whereIn('id', waiting).where({ status: 'completed' }).resultSize(),
      waiting.length,
      RECOVERY_TIMEOUT_MS,
    );
    expect(unanswered, 'only tests of the provider').to.be.at.most(2);
    const paid = await ProviderCallModel.query().whereIn('session_id', waiting).where({ status: 'succeeded' });
    expect(paid.map(({ session_id }) => session_id).sort()).to.deep.equal(waiting.toSorted());
    const delivered = await eventually(
      () => postsTo('/outage').map(({ body }) => (JSON.parse(body.toString()) as WebhookPayload).session_id),
      (found) => found.length === waiting.length,
    );
    expect(delivered.sort()).to.deep.equal(waiting.toSorted());
  });

  it('skips no session of a batch and creates none twice; each is charged once', async () => {
    const { workspace_id, sources, batch_id, read } = batch;
    const ended = await eventually(read, ({ ended_at }) => ended_at !== null, RECOVERY_TIMEOUT_MS);
    expect(ended).to.include({ status: 'completed', completed: IN_BATCH, failed: 0, remaining: 0 });
    const created = await SessionModel.query().where({ batch_id });
    const sourceIds = created.map(({ source_session_id }) => source_session_id);
    expect(sourceIds.sort()).to.deep.equal(sources.map(({ id }) => id).sort());
    const paid = await ProviderCallModel.query().where({ workspace_id, status: 'succeeded' });
    expect(paid.map(({ session_id }) => session_id).sort()).to.deep.equal(created.map(({ id }) => id).sort());
  });

  it('during the deletion of a workspace leaves the remaining rows and recordings to the next sweep', async () => {
    const { workspace_id, recorded } = deletion;
    expect(deletion.left, 'left by the killed worker').to.be.greaterThan(0);
    await sweepDeleted('deletion-killed-2');
    const isLeft = async () => (await findDeletedWorkspaces(100)).some(({ id }) => id === workspace_id);
    await eventually(isLeft, (left) => !left, RECOVERY_TIMEOUT_MS);
    // Only the row of its former member still refers to it.
    expect(await findTables(workspace_id)).to.deep.equal(['users']);
    expect(await hasRecording(recorded)).to.equal(false);
  });
});
