import { typeid } from 'typeid-js';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { createOwner, createUser, says, VOICE } from '../../support/factories.ts';
import { useSharedService } from '../../support/shared-service.ts';

describe('The monthly budget of a user', () => {
  const service = useSharedService();

  const setBudget = (token: string, monthly_budget_usd: unknown) =>
    send(service.api, 'updateCurrentUser', { token, body: { monthly_budget_usd } });

  /** Adds a call with this cost to the ledger. */
  async function spend(workspace_id: string, cost_usd: number, started_at = new Date()): Promise<void> {
    const ids = { session_id: typeid('sess').toString(), assistant_id: typeid('asst').toString() };
    const call = { step: 'analysis', attempt: 1, provider: 'openai', model: 'm', status: 'succeeded' } as const;
    await ProviderCallModel.query().insert({ ...ids, ...call, workspace_id, cost_usd, started_at });
  }

  async function createSpender(budget: number, settings: Parameters<typeof createOwner>[0] = {}) {
    const { workspaceId, token, assistant } = await createOwner(settings);
    await setBudget(token, budget);
    const conversation = says('My parcel has not arrived.');
    const submit = () =>
      send(service.api, 'submitTextRequest', { token, body: { assistant_id: assistant.id, conversation } });
    return { workspaceId, token, assistant, submit };
  }

  /** Returns the start of this month in UTC. */
  const monthStart = () => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  };

  it('is null by default, can be set and removed, and refuses invalid values', async () => {
    const { token } = await createUser();
    const read = async () => (await send(service.api, 'getCurrentUser', { token })).body.monthly_budget_usd;
    expect(await read()).to.equal(null);
    expect((await setBudget(token, 12.5)).body.monthly_budget_usd).to.equal(12.5);
    await send(service.api, 'updateCurrentUser', { token, body: { name: 'Ada' } });
    expect(await read()).to.equal(12.5);
    expect((await setBudget(token, null)).body.monthly_budget_usd).to.equal(null);
    for (const budget of [-1, '5', 1e300, true]) expect((await setBudget(token, budget)).status).to.equal(422);
    expect(await read()).to.equal(null);
  });

  it('allows sessions until it is used up; other months and users do not count', async () => {
    const { workspaceId, submit } = await createSpender(1);
    await spend(workspaceId, 0.99);
    await spend(workspaceId, 100, new Date(monthStart().getTime() - 1));
    await spend((await createUser()).workspaceId, 100);
    expect((await submit()).status).to.equal(200);
  });

  it('used up: sessions fail with 402 before any cost, and can be retried', async () => {
    const { workspaceId, token, submit } = await createSpender(1);
    await spend(workspaceId, 0.5);
    await spend(workspaceId, 0.5, monthStart());
    const answer = await submit();
    expect(answer.status).to.equal(402);
    const { code, session_id = '', stage, retryable } = answer.problem;
    expect({ code, stage, retryable }).to.deep.equal({ code: 'budget_exceeded', stage: 'analysis', retryable: true });
    expect(answer.headers.get('location')).to.equal(`/api/v1/sessions/${session_id}`);
    const { body } = await send(service.api, 'getSession', { token, params: { id: session_id } });
    expect(body).to.deep.include({ status: 'failed', total_cost: 0, cost_breakdown: [] });
    expect(body.error).to.include({ code: 'budget_exceeded', provider: null });
    expect(await ProviderCallModel.findOfSession(session_id)).to.deep.equal([]);
  });

  it('raised: a retry completes the failed session', async () => {
    const { token, submit } = await createSpender(0);
    const { session_id = '' } = (await submit()).problem;
    const retry = () => send(service.api, 'retrySession', { token, params: { id: session_id } });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', session_id });
    await setBudget(token, 1);
    expect((await retry()).body).to.include({ session_id, status: 'completed' });
  });

  it('is checked before each step', async () => {
    const { token, assistant } = await createSpender(0, VOICE);
    const error = { code: 'internal', stage: 'analysis', provider: null, message: '', retryable: true } as const;
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    const fields = { transcript, conversation: says('Hello.') };
    const { id } = await createVoiceSession(assistant, { status: 'failed', error, ...fields });
    const retry = () => send(service.api, 'retrySession', { token, params: { id } });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', stage: 'analysis' });
    await SessionModel.query().findById(id).patch({ transcript: null, conversation: null });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', stage: 'transcription' });
    expect(await ProviderCallModel.findOfSession(id)).to.deep.equal([]);
  });

  describe('counts calls with an unknown price according to the settings', () => {
    const ALMOST_NOTHING = 1e-7;

    it('for a model', async () => {
      const { token, submit } = await createSpender(ALMOST_NOTHING, { llm_model: 'a-model-of-our-own' });
      const answers = await Promise.all(Array.from({ length: 3 }, submit));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 402, 402]);
      expect(answers.find(({ status }) => status === 200)?.body).to.include({ cost_known: false, total_cost: 0 });
      // Far more than the call used, and far less than the most that it could have used.
      await setBudget(token, 0.05);
      expect((await submit()).status).to.equal(200);
    });

    it('for a speech-to-text provider', async () => {
      const voice = { type: 'voice', stt_provider: 'aisha', stt_model: null, stt_language: 'uz' } as const;
      const { token, assistant } = await createSpender(ALMOST_NOTHING, voice);
      const error = { code: 'internal', stage: 'transcription', provider: null, message: '', retryable: true } as const;
      const { id } = await createVoiceSession(assistant, { status: 'failed', error, completed_at: new Date() });
      const retried = await send(service.api, 'retrySession', { token, params: { id } });
      expect(retried.problem).to.include({ code: 'budget_exceeded', stage: 'analysis' });
      expect((await ProviderCallModel.findOfSession(id)).map(({ step }) => step)).to.deep.equal(['transcription']);
    });
  });
});
