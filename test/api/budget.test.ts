import { expect } from 'chai';
import { typeid } from 'typeid-js';
import { getCurrentUser, updateCurrentUser } from '../../contract/account.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { retrySession } from '../../contract/session-operations.ts';
import { getSession } from '../../contract/sessions.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send } from '../support/api.ts';
import { createVoiceSession } from '../support/audio.ts';
import { createAssistant, createUser } from '../support/factories.ts';
import { useSharedService } from '../support/shared-service.ts';

describe('The monthly budget of a user', () => {
  const service = useSharedService();

  const setBudget = (token: string, monthly_budget_usd: unknown) =>
    send(service.api, updateCurrentUser, { token, body: { monthly_budget_usd } });

  /** What a call of the user's cost, once. */
  async function spend(user_id: string, cost_usd: number, started_at = new Date()): Promise<void> {
    const ids = { session_id: typeid('sess').toString(), assistant_id: typeid('asst').toString() };
    const call = { step: 'analysis', attempt: 1, provider: 'openai', model: 'm', status: 'succeeded' } as const;
    await VendorCallModel.query().insert({ ...ids, ...call, user_id, cost_usd, started_at });
  }

  async function createSpender(budget: number, settings: Parameters<typeof createAssistant>[1] = {}) {
    const { user, token } = await createUser();
    await setBudget(token, budget);
    const assistant = await createAssistant(user.id, settings);
    const conversation = [{ role: 'client', text: 'My parcel has not arrived.' }];
    const submit = () =>
      send(service.api, submitTextRequest, { token, body: { assistant_id: assistant.id, conversation } });
    return { user, token, assistant, submit };
  }

  /** The first moment of this month, UTC. */
  const monthStart = () => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  };

  it('is none at first, is shown and set by its owner, and null takes it away', async () => {
    const { token } = await createUser();
    const read = async () => (await send(service.api, getCurrentUser, { token })).body.monthly_budget_usd;
    expect(await read()).to.equal(null);
    expect((await setBudget(token, 12.5)).body.monthly_budget_usd).to.equal(12.5);
    await send(service.api, updateCurrentUser, { token, body: { name: 'Ada' } });
    expect(await read()).to.equal(12.5);
    expect((await setBudget(token, null)).body.monthly_budget_usd).to.equal(null);
    for (const budget of [-1, '5', 1e300, true]) expect((await setBudget(token, budget)).status).to.equal(422);
    expect(await read()).to.equal(null);
  });

  it('lets a session pass while something of it is left', async () => {
    const { user, submit } = await createSpender(1);
    await spend(user.id, 0.99);
    expect((await submit()).status).to.equal(200);
  });

  it('stops a session before anything is spent once it is used up, with 402 and the session to retry', async () => {
    const { user, token, submit } = await createSpender(1);
    await spend(user.id, 0.5);
    await spend(user.id, 0.5, monthStart());
    const answer = await submit();
    expect(answer.status).to.equal(402);
    const { code, session_id = '', stage, retryable } = answer.problem;
    expect({ code, stage, retryable }).to.deep.equal({ code: 'budget_exceeded', stage: 'analysis', retryable: true });
    expect(answer.headers.get('location')).to.equal(`/api/v1/sessions/${session_id}`);
    const { body } = await send(service.api, getSession, { token, params: { id: session_id } });
    expect(body).to.deep.include({ status: 'failed', total_cost: 0, cost_breakdown: [] });
    expect(body.error).to.include({ code: 'budget_exceeded', provider: null });
    expect(await VendorCallModel.findOfSession(session_id)).to.deep.equal([]);
  });

  it('lets a stopped session go on by retry after it was raised', async () => {
    const { token, submit } = await createSpender(0);
    const { session_id = '' } = (await submit()).problem;
    const retry = () => send(service.api, retrySession, { token, params: { id: session_id } });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', session_id });
    await setBudget(token, 1);
    expect((await retry()).body).to.include({ session_id, status: 'completed' });
  });

  it('is looked at before each step: a transcription that used it up is kept, and the analysis waits for a retry', async () => {
    const { user, token } = await createSpender(0);
    const voice = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'en' } as const;
    const assistant = await createAssistant(user.id, voice);
    const error = { code: 'internal', stage: 'analysis', provider: null, message: '', retryable: true } as const;
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    const conversation = [{ role: 'client', text: 'Hello.' }];
    const ended = { status: 'failed', error, completed_at: new Date() } as const;
    const { id } = await createVoiceSession(assistant, { ...ended, transcript, conversation });
    const retry = () => send(service.api, retrySession, { token, params: { id } });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', stage: 'analysis' });
    await SessionModel.query().findById(id).patch({ transcript: null, conversation: null });
    expect((await retry()).problem).to.include({ code: 'budget_exceeded', stage: 'transcription' });
    expect(await VendorCallModel.findOfSession(id)).to.deep.equal([]);
  });

  it('is overspent by one call at most, however many sessions come at once', async function () {
    this.timeout(60_000);
    const { user, submit } = await createSpender(1);
    const price = (await submit()).body.total_cost;
    await spend(user.id, 1 - 1.5 * price);
    const answers = await Promise.all(Array.from({ length: 20 }, submit));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ status }) => status === 402)).to.have.length(19);
  });

  describe('is used up by calls whose price nobody knows, which count by the settings', () => {
    const ALMOST_NOTHING = 1e-7;

    it('of a model', async () => {
      const { token, submit } = await createSpender(ALMOST_NOTHING, { llm_model: 'a-model-of-our-own' });
      const answers = await Promise.all(Array.from({ length: 3 }, submit));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 402, 402]);
      expect(answers.find(({ status }) => status === 200)?.body).to.include({ cost_known: false, total_cost: 0 });
      // Far more than the call used, and far less than it might have.
      await setBudget(token, 0.05);
      expect((await submit()).status).to.equal(200);
    });

    it('of a vendor of transcriptions', async () => {
      const voice = { type: 'voice', stt_provider: 'aisha', stt_model: null, stt_language: 'uz' } as const;
      const { token, assistant } = await createSpender(ALMOST_NOTHING, voice);
      const error = { code: 'internal', stage: 'transcription', provider: null, message: '', retryable: true } as const;
      const { id } = await createVoiceSession(assistant, { status: 'failed', error, completed_at: new Date() });
      const retried = await send(service.api, retrySession, { token, params: { id } });
      expect(retried.problem).to.include({ code: 'budget_exceeded', stage: 'analysis' });
      expect((await VendorCallModel.findOfSession(id)).map(({ step }) => step)).to.deep.equal(['transcription']);
    });
  });

  it('counts the current month alone, and nothing of other users', async () => {
    const { user, submit } = await createSpender(1);
    const other = await createUser();
    await spend(user.id, 100, new Date(monthStart().getTime() - 1));
    await spend(other.user.id, 100);
    expect((await submit()).status).to.equal(200);
  });
});
