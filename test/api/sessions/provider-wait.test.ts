import type { Batch } from '../../../contract/sessions/batches.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { standInEnvironment } from '../../../local/stand-ins/environment.ts';
import { startStandIns } from '../../../local/stand-ins/server.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, createSession } from '../../support/factories.ts';
import { eventsOf } from '../../support/history.ts';
import { startForwarder } from '../../support/receiver.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { useStarted } from '../../support/use-started.ts';

const ANTHROPIC = { llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' } as const;
/** The wait after a failure is half of the time since the first one. */
const TEN_MINUTES_MS = 600_000;
const MINUTE_MS = 60_000;
/** Failed calls that open a circuit: activities/providers/circuit.ts. */
const OPENS_CIRCUIT = 5;

describe('A session that waits for a provider', () => {
  const standIns = useStarted(() => startStandIns());
  const provider = useStarted(() => startForwarder(standIns.url, async () => status));
  let service: TestService;
  let owner: SessionOwner;
  let status: number | undefined;
  beforeEach(async () => {
    const { OPENAI_BASE_URL } = standInEnvironment(['openai'], provider.url);
    const env = { OPENAI_BASE_URL, PROVIDER_RETRY_WINDOW_S: '0' };
    service = await stopAfterTest(startTestService({ env }));
    owner = await createSessionOwner(() => service.api, { on_provider_outage: 'wait' });
    status = 503;
  });

  const steer = (id: string, body?: object) =>
    send(service.api, 'trySession', { token: owner.token, params: { id }, ...(body && { body }) });

  const nextTry = async (id: string) => Date.parse((await owner.read(id)).waiting_for?.next_try_at ?? '');

  /** Submits sessions that wait for more than a minute. Returns their IDs. */
  async function submitWaiting(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await owner.submit());
    for (const id of ids) {
      await eventually(async () => (await owner.read(id)).waiting_for !== null, true);
      const since = new Date(Date.now() - TEN_MINUTES_MS).toISOString();
      await SessionModel.query()
        .findById(id)
        .patch({
          waiting: SessionModel.raw("waiting || jsonb_build_object('since', cast(? as text))", since) as never,
        });
    }
    for (const id of ids) await eventually(async () => (await nextTry(id)) > Date.now() + MINUTE_MS, true);
    return ids;
  }

  it('is tried at once on request, also while the circuit is open, with one paid call and no event in the history', async () => {
    const [id = '', other = ''] = await submitWaiting(OPENS_CIRCUIT);
    await eventually(
      async () => (await send(service.api, 'getInfo', { token: owner.token })).body.open_circuits.length,
      1,
    );
    const [planned, events] = [await nextTry(id), eventsOf(await (await workflowOf(id)).fetchHistory()).length];
    status = undefined;
    expect((await steer(id)).status).to.equal(200);
    const session = await owner.untilEnded(id);
    expect(session.status).to.equal('completed');
    expect(Date.parse(session.completed_at ?? '')).to.be.below(planned);
    await untilWorkflowEnds(id);
    const added = eventsOf(await (await workflowOf(id)).fetchHistory()).slice(events);
    const kinds = added.map((event) => Object.keys(event).find((name) => name.endsWith('Attributes')));
    expect(kinds.filter((kind) => !kind?.startsWith('workflowTask'))).to.deep.equal([
      'activityTaskStartedEventAttributes',
      'activityTaskCompletedEventAttributes',
      'upsertWorkflowSearchAttributesEventAttributes',
      'workflowExecutionCompletedEventAttributes',
    ]);
    expect((await owner.read(other)).status, 'the other one waits').to.equal('analyzing');
    await steer(other);
    expect((await owner.untilEnded(other)).status).to.equal('completed');
    const { data } = (
      await send(service.api, 'listAuditEvents', { token: owner.token, query: { action: 'session_tried' } })
    ).body;
    expect(data.map(({ object_id, details }) => [object_id, details])).to.deep.equal([
      [other, { provider: 'own' }],
      [id, { provider: 'own' }],
    ]);
  });

  it('waits again if the provider is still down', async () => {
    const [id = ''] = await submitWaiting(1);
    const calls = provider.requests.length;
    await steer(id);
    await eventually(
      async () => provider.requests.length > calls && (await nextTry(id)) > Date.now() + MINUTE_MS,
      true,
    );
    expect((await owner.read(id)).waiting_for).to.include({ provider: 'openai', reason: 'unavailable' });
  });

  it('uses the fallback that its assistant has now, while the provider is down', async () => {
    const [id = ''] = await submitWaiting(1);
    const refused = (await steer(id, { fallback: true })).problem;
    expect(refused.errors).to.deep.equal([
      {
        path: 'fallback',
        message: 'is not set for this step of this assistant, or does not accept the recording',
        code: 'not_set',
      },
    ]);
    const params = { id: owner.assistant.id };
    await send(service.api, 'updateAssistant', { token: owner.token, params, body: { fallback: ANTHROPIC } });
    await steer(id, { fallback: true });
    const session = await owner.untilEnded(id);
    expect(session.status).to.equal('completed');
    expect(session.answered_by).to.deep.equal([
      { step: 'analysis', provider: 'anthropic', model: ANTHROPIC.llm_model, reason: 'unavailable' },
    ]);
    expect((await steer(id)).problem).to.include({ status: 409, reason: 'session_ended' });
  });

  it('is the only one that can be tried: 409 names what is wrong', async () => {
    const running = { status: 'analyzing', completed_at: null, check_after: new Date(Date.now() + MINUTE_MS) } as const;
    const { id } = await createSession(owner.assistant, running);
    expect((await steer(id)).problem).to.include({ status: 409, reason: 'not_waiting' });
    const now = new Date().toISOString();
    const waiting = { provider: 'openai', reason: 'unavailable', since: now, next_try_at: now } as const;
    await SessionModel.query().findById(id).patch({ waiting });
    expect((await steer(id)).problem).to.include({ status: 409, reason: 'attempt_running' });
  });

  it('is canceled with all others of its provider by one batch, and no session of another provider is', async () => {
    const ids = [await owner.submit(), await owner.submit(), await owner.submit()];
    for (const id of ids) await eventually(async () => (await owner.read(id)).waiting_for !== null, true);
    const other = await createSession(await createAssistant(owner.assistant.workspace_id, ANTHROPIC), {
      status: 'analyzing',
      completed_at: null,
      check_after: new Date(Date.now() + MINUTE_MS),
    });
    const begin = (filter: object) =>
      send(service.api, 'createBatch', { token: owner.token, body: { action: 'cancel', filter } });
    expect((await begin({})).paths).to.deep.equal(['filter']);
    const { batch_id } = (await begin({ waiting_for: 'openai' })).body as Batch;
    const batch = await eventually(
      async () => (await send(service.api, 'getBatch', { token: owner.token, params: { id: batch_id } })).body,
      ({ ended_at }) => ended_at !== null,
    );
    expect(batch).to.include({ status: 'completed', total: 3, canceled: 3, completed: 0, failed: 0 });
    for (const id of ids) {
      expect(await owner.read(id)).to.include({ status: 'canceled', waiting_for: null });
      expect(await untilWorkflowEnds(id)).to.equal('CANCELLED');
    }
    expect((await owner.read(other.id)).status).to.equal('analyzing');
  });
});
