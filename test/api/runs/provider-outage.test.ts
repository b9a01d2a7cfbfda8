import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { WorkspaceModel } from '../../../db/models/workspace.ts';
import { standInEnvironment } from '../../../local/stand-ins/environment.ts';
import { startStandIns } from '../../../local/stand-ins/server.ts';
import type { AssistantColumns } from '../../../db/models/assistant.ts';
import { send } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { createAssistant, TEXT_SETTINGS, VOICE } from '../../support/factories.ts';
import { eventsOf } from '../../support/history.ts';
import { startForwarder, startReceiver } from '../../support/receiver.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { untilWorkflowEnds, workflowOf } from '../../support/temporal.ts';
import { submitVoice } from '../../support/voice.ts';
import { useStarted } from '../../support/use-started.ts';

const DAY_MS = 24 * 3_600_000;
const ANTHROPIC = { llm_provider: 'anthropic', llm_model: 'claude-haiku-5-5' } as const;
const FALLBACK = { ...ANTHROPIC, stt_provider: null, stt_model: null };

describe('An outage of a provider', () => {
  const standIns = useStarted(() => startStandIns());
  /** Forwards to the stand-in of OpenAI, or answers with `status`. */
  const provider = useStarted(() => startForwarder(standIns.url, async () => status));
  let service: TestService;
  let status: number | undefined;

  // A new service for each test, because the worker keeps the circuits in memory.
  beforeEach(async function () {
    this.timeout(0);
    const { OPENAI_BASE_URL, WHISPER_BASE_URL } = standInEnvironment(['openai', 'whisper'], provider.url);
    // With so few places, waiting sessions would block others if they held one.
    const env = { OPENAI_BASE_URL, WHISPER_BASE_URL, PROVIDER_RETRY_WINDOW_S: '0', WORKER_CALLS_PER_PROVIDER: '5' };
    service = await stopAfterTest(startTestService({ env }));
    status = 503;
    provider.requests.length = 0;
  });

  const newOwner = (fields: Partial<AssistantColumns> = {}) =>
    createSessionOwner(() => service.api, { on_provider_outage: 'wait', ...fields });

  const untilWaiting = (owner: SessionOwner, id: string) =>
    eventually(
      () => owner.read(id),
      ({ waiting_for }) => waiting_for !== null,
    );

  const openCircuits = async (token: string) => (await send(service.api, 'getInfo', { token })).body.open_circuits;

  it('fails a session with a retryable error by default, and lets it wait if the assistant says so', async () => {
    const failing = await newOwner({ on_provider_outage: 'fail' });
    const { error, waiting_for: nothing } = await failing.untilEnded(await failing.submit());
    expect(error).to.include({ code: 'unavailable', provider: 'openai', retryable: true });
    expect(nothing).to.equal(null);

    const webhooks = await stopAfterTest(startReceiver());
    const owner = await newOwner({ webhook_url: webhooks.url });
    const id = await owner.submit();
    const { waiting_for, ...waiting } = await untilWaiting(owner, id);
    expect(waiting).to.include({ status: 'analyzing', completed_at: null, error: null });
    expect(waiting_for).to.include({ provider: 'openai', reason: 'unavailable' });
    expect(Date.parse(waiting_for?.next_try_at ?? '')).to.be.greaterThan(Date.parse(waiting_for?.since ?? ''));
    expect(webhooks.requests).to.have.length(0);
    const listed = async (provider: string) =>
      (await send(service.api, 'listSessions', { token: owner.token, query: { waiting_for: provider } })).body.data;
    expect((await listed('openai')).map(({ session_id }) => session_id)).to.deep.equal([id]);
    expect(await listed('anthropic')).to.deep.equal([]);
    const [queue] = (await send(service.api, 'getInfo', { token: owner.token })).body.waiting;
    expect(queue).to.include({ provider: 'openai', reason: 'unavailable', sessions: 1, since: waiting_for?.since });
    status = undefined;
    expect(await owner.untilEnded(id)).to.include({ status: 'completed', waiting_for: null });
    const calls = await ProviderCallModel.findOfSession(id);
    expect(calls.filter((call) => call.status === 'succeeded')).to.have.length(1);
    await webhooks.until(1);
    expect((await send(service.api, 'getInfo', { token: owner.token })).body.waiting).to.deep.equal([]);
  });

  it('lets 20 sessions wait with few calls and without slots; all complete when the provider is back', async () => {
    const owner = await newOwner();
    const ids: string[] = [];
    for (let i = 0; i < 20; i += 5) ids.push(...(await Promise.all(Array.from({ length: 5 }, () => owner.submit()))));
    const countWaiting = () => SessionModel.query().whereIn('id', ids).whereNotNull('waiting').resultSize();
    await eventually(countWaiting, ids.length);
    const [circuit] = await eventually(
      () => openCircuits(owner.token),
      ({ length }) => length === 1,
    );
    expect(circuit).to.include({ provider: 'openai', reason: 'unavailable' });
    expect(provider.requests.length).to.be.at.most(14);
    const other = await createAssistant(owner.assistant.workspace_id, ANTHROPIC);
    expect((await owner.untilEnded(await owner.submit('Another provider.', other))).status).to.equal('completed');

    const refused = provider.requests.length;
    status = undefined;
    const countCompleted = () => SessionModel.query().whereIn('id', ids).where({ status: 'completed' }).resultSize();
    await eventually(countCompleted, ids.length);
    const answered = await ProviderCallModel.query().whereIn('session_id', ids).where({ status: 'succeeded' });
    expect(answered, 'one paid call for each').to.have.length(ids.length);
    expect(provider.requests.length - refused).to.be.at.most(ids.length + 5);
    await eventually(() => openCircuits(owner.token), []);
    const history = await (await workflowOf(ids[0] ?? '')).fetchHistory();
    expect(eventsOf(history).length, 'a retry writes no event').to.be.at.most(12);
  });

  it('ends a waiting session when it is canceled, after a day, and when the budget is used up', async () => {
    const [canceled, old, spent] = [await newOwner(), await newOwner(), await newOwner()];
    const ids = [await canceled.submit(), await old.submit(), await spent.submit()] as const;
    await untilWaiting(canceled, ids[0]);
    expect((await canceled.cancel(ids[0])).body).to.include({ status: 'canceled', waiting_for: null });
    expect(await untilWorkflowEnds(ids[0])).to.equal('CANCELLED');

    const { waiting_for } = await untilWaiting(old, ids[1]);
    const since = new Date(Date.now() - DAY_MS).toISOString();
    const waiting = { ...waiting_for!, reason: 'unavailable', provider: 'openai', since } as const;
    await SessionModel.query().findById(ids[1]).patch({ waiting });
    const { status: end, error } = await old.untilEnded(ids[1]);
    expect(end).to.equal('failed');
    expect(error).to.include({ code: 'unavailable', provider: 'openai', stage: 'analysis', retryable: true });

    await untilWaiting(spent, ids[2]);
    await WorkspaceModel.query().findById(spent.assistant.workspace_id).patch({ monthly_budget_usd: 0 });
    // A call that started before must not succeed.
    await eventually(() => ProviderCallModel.query().where({ session_id: ids[2], status: 'running' }).resultSize(), 0);
    status = undefined;
    expect((await spent.untilEnded(ids[2])).error).to.include({ code: 'budget_exceeded' });
    expect(await ProviderCallModel.query().where({ session_id: ids[2], status: 'succeeded' })).to.deep.equal([]);
  });

  it('Fallback: it responds while the circuit is open, the session shows it, and only its calls cost', async () => {
    const owner = await newOwner({ on_provider_outage: 'fail', fallback: FALLBACK });
    const session = await owner.untilEnded(await owner.submit());
    expect(session).to.include({ status: 'completed', error: null });
    expect(session.assistant).to.include({ llm_provider: 'openai' });
    const { llm_provider: answeredBy, llm_model: model } = ANTHROPIC;
    expect(session.answered_by).to.deep.equal([
      { step: 'analysis', provider: answeredBy, model, reason: 'unavailable' },
    ]);
    const costs = new Map(session.cost_breakdown.map((item) => [item.provider, item.cost_usd]));
    expect(costs.get('openai')).to.equal(0);
    expect(session.total_cost).to.equal(costs.get('anthropic'));

    for (let i = 0; i < 6; i++) await owner.untilEnded(await owner.submit('The next one.'));
    expect(provider.requests.length, 'an open circuit is not called').to.be.below(7);
    status = undefined;
    await eventually(async () => (await owner.untilEnded(await owner.submit('Back.'))).answered_by, null);
  });

  it('Fallback: it transcribes too; if it is down as well, the session waits', async () => {
    const { token, assistant } = await newOwner();
    const fallback = { ...ANTHROPIC, stt_provider: 'elevenlabs', stt_model: 'scribe_v2' } as const;
    const voice = await createAssistant(assistant.workspace_id, { ...VOICE, fallback });
    const transcribed = await submitVoice(service.api, { token, assistantId: voice.id });
    expect(transcribed.status).to.equal('completed');
    expect(transcribed.answered_by?.map(({ step, provider: by }) => `${step} ${by}`)).to.deep.equal([
      'transcription elevenlabs',
      'analysis anthropic',
    ]);

    const waiting = await newOwner({ fallback: FALLBACK });
    const { waiting_for } = await untilWaiting(waiting, await waiting.submit('[provider status=503]'));
    expect(waiting_for).to.include({ reason: 'unavailable' });
  });

  it('Fallback: it responds immediately if the provider account has no credit left', async () => {
    status = 402;
    const owner = await newOwner({ on_provider_outage: 'fail', fallback: FALLBACK });
    const session = await owner.untilEnded(await owner.submit());
    expect(session.answered_by?.map(({ reason }) => reason)).to.deep.equal(['quota_exceeded']);
    expect(provider.requests).to.have.length(1);
  });

  it('Fallback: invalid ones are refused; a valid one gets its default model and creates a new version', async () => {
    const { token, assistant } = await newOwner();
    const pathsOf = async (fallback: object) =>
      (await send(service.api, 'createAssistant', { token, body: { ...TEXT_SETTINGS, fallback } })).paths;
    expect(await pathsOf({})).to.deep.equal(['fallback']);
    expect(await pathsOf({ llm_model: 'x' })).to.include('fallback.llm_model');
    expect(await pathsOf({ llm_provider: 'openai' })).to.deep.equal(['fallback.llm_provider']);
    expect(await pathsOf({ stt_provider: 'aisha' })).to.deep.equal(['fallback.stt_provider']);
    const body = { fallback: { llm_provider: 'anthropic' } };
    const { body: changed } = await send(service.api, 'updateAssistant', { token, params: { id: assistant.id }, body });
    expect(changed).to.deep.include({ version: 2, fallback: FALLBACK });
  });
});
