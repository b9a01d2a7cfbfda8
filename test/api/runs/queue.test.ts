import { IdempotencyKeyModel } from '../../../db/models/idempotency-key.ts';
import { MembershipModel } from '../../../db/models/membership.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { finishSession } from '../../../db/queries/session-status.ts';
import { standInEnvironment } from '../../../local/stand-ins/environment.ts';
import { startStandIns } from '../../../local/stand-ins/server.ts';
import { send, startTestApi } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createOwner, createSession, says, VOICE } from '../../support/factories.ts';
import { startForwarder, type Receiver } from '../../support/receiver.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { submitVoice } from '../../support/voice.ts';

/** Calls at once to one provider. One workspace leaves some of them to others. */
const PLACES = 5;
const ANTHROPIC = { llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' } as const;

describe('The queue', () => {
  let standIns: Awaited<ReturnType<typeof startStandIns>>;
  /** Provider calls with the word `[held]` wait until `gate` opens. */
  let models: Receiver;
  let service: TestService;
  let inFlight = 0;
  let most = 0;
  let gate = Promise.withResolvers<void>();

  before(async function () {
    this.timeout(0);
    standIns = await startStandIns();
    models = await startForwarder(standIns.url, async ({ body }) => {
      most = Math.max(most, ++inFlight);
      if (body.includes('[held]')) await gate.promise;
      inFlight -= 1;
      return undefined;
    });
    const { OPENAI_BASE_URL, WHISPER_BASE_URL } = standInEnvironment(['openai', 'whisper'], models.url);
    service = await startTestService({
      env: { OPENAI_BASE_URL, WHISPER_BASE_URL, WORKER_CALLS_PER_PROVIDER: String(PLACES) },
    });
  });
  after(async () => {
    await service.stop();
    await models.stop();
    await standIns.stop();
  });
  beforeEach(() => {
    most = 0;
    gate = Promise.withResolvers();
  });
  afterEach(() => gate.resolve());

  const newOwner = () => createSessionOwner(() => service.api);
  const countCompleted = (ids: string[]) =>
    SessionModel.query().whereIn('id', ids).where({ status: 'completed' }).resultSize();
  const untilCompleted = (ids: string[]) => eventually(() => countCompleted(ids), ids.length);

  async function submitMany(owner: SessionOwner, count: number, text?: string): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 5) {
      ids.push(...(await Promise.all(Array.from({ length: 5 }, () => owner.submit(text)))));
    }
    return ids;
  }

  const submitAndWait = ({ token, assistant }: SessionOwner, text: string, headers = {}) =>
    send(service.api, 'submitTextRequest', {
      token,
      headers,
      body: { assistant_id: assistant.id, conversation: says(text) },
    });

  /** Runs a session of each priority to its end, one after the other. */
  async function completeSome(owner: SessionOwner): Promise<void> {
    for (let i = 0; i < 3; i++) {
      expect((await submitAndWait(owner, 'My parcel is late.')).body.status).to.equal('completed');
      expect((await owner.untilEnded(await owner.submit())).status).to.equal('completed');
    }
  }

  /** Resolves when the workspace uses its full share of the provider's slots. */
  const untilFull = () => eventually(() => inFlight >= 0.8 * PLACES, true);

  /** Submits sessions whose calls wait, until they use all slots of the workspace. */
  async function fill(owner: SessionOwner): Promise<string[]> {
    const ids = await submitMany(owner, 2 * PLACES, 'Hello. [held]');
    await untilFull();
    return ids;
  }

  /** Resolves when a worker has refused the session's first step, which then waits for a slot. */
  const untilRefused = async (id: string) => {
    const workflow = await workflowOf(id);
    const lastFailure = async () => (await workflow.describe()).raw.pendingActivities?.[0]?.lastFailure ?? null;
    await eventually(lastFailure, (failure) => failure !== null);
  };

  it('Fairness: while 20 sessions of one workspace do not end, those of another workspace complete', async () => {
    const [busy, other] = [await newOwner(), await newOwner()];
    const ids = await submitMany(busy, 4 * PLACES, 'Hello. [held]');
    await untilFull();
    await completeSome(other);
    expect(await countCompleted(ids)).to.equal(0);
    gate.resolve();
    await untilCompleted(ids);
    expect(most).to.be.at.most(PLACES);
    const calls = await ProviderCallModel.query().whereIn('session_id', ids);
    expect(calls.map(({ status }) => status)).to.deep.equal(ids.map(() => 'succeeded'));
  });

  it('Fairness: priority 1 requests that use all slots of their workspace do not delay other workspaces', async () => {
    const [busy, other] = [await newOwner(), await newOwner()];
    const waiting = Array.from({ length: 2 * PLACES }, () => submitAndWait(busy, '[held]', { Prefer: 'wait=60' }));
    await untilFull();
    await completeSome(other);
    gate.resolve();
    for (const { body } of await Promise.all(waiting)) expect(body.status).to.equal('completed');
  });

  it('Priority: 1 if the client waits for the result, else 2; owners of workspaces take turns', async () => {
    const owner = await newOwner();
    const priorityOf = async (prefer: string) => {
      const { session_id } = (await submitAndWait(owner, 'Hello.', { Prefer: prefer })).body;
      return (await (await workflowOf(session_id)).describe()).priority;
    };
    const { workspace_id } = owner.assistant;
    const fairnessKey = (await MembershipModel.query().findOne({ workspace_id }))?.user_id;
    expect(await priorityOf('wait=10')).to.include({ priorityKey: 1, fairnessKey });
    expect(await priorityOf('respond-async')).to.include({ priorityKey: 2, fairnessKey });
  });

  it('shows the position of a queued session; cancel and delete take effect immediately', async () => {
    const owner = await newOwner();
    const running = await fill(owner);
    const [canceled, deleted, last] = [await owner.submit(), await owner.submit(), await owner.submit()];
    for (const id of [canceled, deleted, last]) {
      await untilRefused(id);
      expect(await SessionModel.findStatus(id)).to.equal('queued');
    }
    expect((await owner.read(canceled)).queue?.ahead).to.be.below((await owner.read(last)).queue?.ahead ?? 0);
    expect((await owner.cancel(canceled)).body).to.include({ status: 'canceled', queue: null });
    const { token } = owner;
    expect((await send(service.api, 'deleteSession', { token, params: { id: deleted } })).status).to.equal(204);
    gate.resolve();
    await untilCompleted([...running, last]);
    for (const id of [canceled, deleted]) {
      expect(await ProviderCallModel.findOfSession(id)).to.deep.equal([]);
      // Completed, because the step found the canceled session before it received the cancellation.
      expect(await untilWorkflowEnds(id)).to.be.oneOf(['CANCELLED', 'COMPLETED']);
    }
  });

  it('leaves slots to other providers and to transcriptions while one provider does not respond', async () => {
    const owner = await newOwner();
    await fill(owner);
    const { workspace_id } = owner.assistant;
    const id = await owner.submit('Another provider.', await createAssistant(workspace_id, ANTHROPIC));
    expect((await owner.untilEnded(id)).status).to.equal('completed');
    const voice = await createAssistant(workspace_id, { ...VOICE, ...ANTHROPIC });
    const session = await submitVoice(service.api, { token: owner.token, assistantId: voice.id });
    expect(session.status).to.equal('completed');
  });
});

describe('The limit of unfinished sessions', () => {
  it('refuses further ones with 429 and stores nothing, until one has ended', async () => {
    const api = await stopAfterTest(startTestApi({ env: { MAX_OPEN_SESSIONS_PER_WORKSPACE: '2' } }));
    const { token, assistant } = await createOwner();
    const { workspace_id } = assistant;
    const failed = await createSession(assistant, { status: 'failed' });
    const [queued] = [await createSession(assistant), await createSession(assistant, { status: 'analyzing' })];
    const submit = () =>
      send(api, 'submitTextRequest', {
        token,
        headers: { Prefer: 'respond-async', 'Idempotency-Key': 'one' },
        body: { assistant_id: assistant.id, conversation: says('Hello.') },
      });
    for (const answer of [await submit(), await send(api, 'retrySession', { token, params: { id: failed.id } })]) {
      expect([answer.status, answer.problem.code]).to.deep.equal([429, 'rate_limited']);
      expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
    }
    expect(await SessionModel.query().where({ workspace_id }).resultSize()).to.equal(3);
    await finishSession(queued.id, { status: 'canceled' });
    expect((await submit()).status).to.equal(202);
    expect(await IdempotencyKeyModel.query().where({ workspace_id })).to.have.length(1);
  });
});
