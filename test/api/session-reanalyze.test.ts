import { expect } from 'chai';
import { deleteAssistant, updateAssistant } from '../../contract/assistants.ts';
import { LLM_PROVIDER_FACTS } from '../../contract/providers.ts';
import { getAssistantResults } from '../../contract/results.ts';
import { reanalyzeSession } from '../../contract/session-operations.ts';
import type { ReanalysisEstimate } from '../../contract/session-operations.ts';
import { getSessionAudio } from '../../contract/sessions.ts';
import type { Session } from '../../contract/sessions.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { send, startTestApi } from '../support/api.ts';
import type { Answer } from '../support/api.ts';
import { createVoiceSession } from '../support/audio.ts';
import { createSession, createUser } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { createSessionOwner } from '../support/sessions.ts';
import type { SessionOwner } from '../support/sessions.ts';
import { useSharedService } from '../support/shared-service.ts';

const VOICE = { type: 'voice', stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' } as const;

describe('POST /v1/sessions/{id}/reanalyze', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  /** Not for estimates. */
  const reanalyze = (id: string, body: object = {}, headers: Record<string, string> = {}, api = service.api) =>
    send(api, reanalyzeSession, { token: owner.token, params: { id }, body, headers }) as Promise<Answer<Session>>;

  const estimate = async (id: string, body: object = {}) => {
    const options = { token: owner.token, params: { id }, body: { ...body, dry_run: true } };
    return (await send(service.api, reanalyzeSession, options)).body as ReanalysisEstimate;
  };

  const callsOf = async (id: string) => VendorCallModel.findOfSession(id);

  const change = (body: object) =>
    send(service.api, updateAssistant, { token: owner.token, params: { id: owner.assistant.id }, body });

  it('answers with a new session over the same conversation, with the assistant as it is now', async () => {
    const id = await owner.submit();
    const source = await owner.untilEnded(id);
    await change({ system_prompt: 'Say it shorter.' });
    const { status, headers, body } = await reanalyze(id);
    expect([status, body.status]).to.deep.equal([200, 'completed']);
    expect(body.session_id).not.to.equal(id);
    expect(headers.get('location')).to.equal(`/api/v1/sessions/${body.session_id}`);
    expect(body).to.include({ source_session_id: id, assistant_id: owner.assistant.id, type: 'text' });
    expect(body.conversation).to.deep.equal(source.conversation);
    expect(body.assistant.system_prompt).to.equal('Say it shorter.');
    expect(body.summary_text).to.be.a('string');
    expect(await owner.read(id)).to.deep.equal(source);
    expect(source.source_session_id).to.equal(null);
    expect(await owner.read(body.session_id)).to.deep.equal(body);
  });

  it('tries settings without a webhook, a place in the results or a change of its source, at its cost', async () => {
    const receiver = await startReceiver();
    try {
      await change({ webhook_url: receiver.url, webhook_events: ['session.completed', 'session.failed'] });
      const fields = [{ name: 'about', type: 'string', description: 'What is it about?' }];
      const source = await createSession(owner.assistant, { status: 'completed', completed_at: new Date() });
      const before = await owner.read(source.id);
      const { body } = await reanalyze(source.id, { fields, trial: true });
      expect(body).to.include({ status: 'completed', trial: true, assistant_version: null, delivery: null });
      expect(body.raw_response?.['fields']).to.have.property('about');
      expect((await callsOf(body.session_id)).map(({ status }) => status)).to.deep.equal(['succeeded']);
      expect(await owner.read(source.id)).to.deep.equal(before);

      const conversation = [{ role: 'client', text: '[vendor status=400]' }];
      const refused = await createSession(owner.assistant, { status: 'completed', conversation });
      const { problem } = await reanalyze(refused.id, { trial: true });
      expect(problem.code).to.equal('provider_failed');

      const { id } = owner.assistant;
      const results = await send(service.api, getAssistantResults, { token: owner.token, params: { id } });
      expect(results.body.sessions).to.equal(0);
      expect(await DeliveryModel.query().where({ assistant_id: id })).to.deep.equal([]);
      expect((await reanalyze(source.id)).body)
        .to.include({ trial: false })
        .and.to.have.nested.property('delivery.status');
    } finally {
      await receiver.stop();
    }
  });

  it('takes settings for this session only, and keeps the metadata', async () => {
    const session = await createSession(owner.assistant, {
      status: 'completed',
      completed_at: new Date(),
      metadata: { call_id: 'c-1' },
    });
    const overrides = {
      system_prompt: 'As a haiku.',
      llm_provider: 'anthropic',
      llm_model: 'claude-haiku-5-5',
      temperature: 0,
    };
    const { body } = await reanalyze(session.id, overrides);
    expect(body.assistant).to.deep.equal({ ...owner.assistant.freeze(), ...overrides });
    expect(body.cost_breakdown[0]).to.include({ provider: 'anthropic', model: 'claude-haiku-5-5' });
    expect(body.metadata).to.deep.equal({ call_id: 'c-1' });
    const again = await reanalyze(session.id);
    expect(again.body.assistant).to.deep.equal(owner.assistant.freeze());
  });

  it('takes fields for this session only: others, or none; the same ones are no change', async () => {
    const asked = (name: string) => ({ name, type: 'boolean', description: 'Is it so?', evidence: true }) as const;
    owner = await createSessionOwner(() => service.api, { fields: [asked('resolved')] });
    const session = await createSession(owner.assistant, { status: 'completed', completed_at: new Date() });
    const other = (await reanalyze(session.id, { fields: [asked('polite')] })).body;
    expect(other.assistant.fields).to.deep.equal([asked('polite')]);
    expect(Object.keys(other.raw_response?.['fields'] as object)).to.deep.equal(['polite']);
    expect(other.assistant_version).to.equal(null);
    const none = (await reanalyze(session.id, { fields: null })).body;
    expect(none.assistant).not.to.have.property('fields');
    expect(none.raw_response).not.to.have.property('fields');
    const same = (await reanalyze(session.id, { fields: [asked('resolved')] })).body;
    expect(same).to.deep.include({ assistant: owner.assistant.freeze(), assistant_version: 1 });
  });

  it("uses another provider's default model where no model is named", async () => {
    const session = await createSession(owner.assistant);
    const { body } = await reanalyze(session.id, { llm_provider: 'gemini' });
    expect(body.assistant.llm_model).to.equal(LLM_PROVIDER_FACTS.gemini.default_model);
  });

  it('transcribes nothing again: the transcript is copied, and the recording stays where it is', async () => {
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    owner = await createSessionOwner(() => service.api, VOICE);
    const source = await createVoiceSession(owner.assistant, { status: 'completed', transcript });
    await change({ stt_provider: 'elevenlabs' });
    const { body } = await reanalyze(source.id);
    expect(body).to.deep.include({ type: 'voice', status: 'completed', transcript, conversation: source.conversation });
    expect(body.assistant).to.include({ stt_provider: 'whisper', stt_model: 'whisper-1' });
    expect((await callsOf(body.session_id)).map(({ step }) => step)).to.deep.equal(['analysis']);
    const audio = await send(service.api, getSessionAudio, { token: owner.token, params: { id: body.session_id } });
    expect(audio.problem.code).to.equal('not_found');
  });

  it('says what it would cost, and stores and pays nothing', async () => {
    const id = await owner.submit();
    await owner.untilEnded(id);
    const count = () => SessionModel.query().where({ user_id: owner.assistant.user_id }).resultSize();
    const same = await estimate(id);
    const [paid] = await callsOf(id);
    expect(same).to.include({ llm_provider: 'openai', expected_cost_usd: paid?.cost_usd ?? undefined });
    expect(same.expected_usage).to.include({ input_tokens: paid?.usage?.input_tokens });
    const longer = await estimate(id, { system_prompt: 'Look closely. '.repeat(5_000) });
    expect(longer.expected_cost_usd).to.be.greaterThan(same.expected_cost_usd ?? Infinity);
    const unknown = await estimate(id, { llm_model: 'nobody-has-a-price' });
    expect(unknown).to.include({ expected_cost_usd: null, max_cost_usd: null, llm_model: 'nobody-has-a-price' });
    expect(await count()).to.equal(1);

    const { session_id } = (await reanalyze(id)).body;
    const [call] = await VendorCallModel.query().where({ session_id });
    expect(same.max_cost_usd).to.be.at.least(call?.reserved_usd ?? Infinity);
  });

  it('expects no cost where nothing was analyzed before, and refuses an estimate like the reanalysis', async () => {
    const { id } = await createSession(owner.assistant, { status: 'failed', completed_at: new Date() });
    const found = await estimate(id);
    expect(found).to.include({ expected_usage: null, expected_cost_usd: null });
    expect(found.max_cost_usd).to.be.greaterThan(0);
    const silent = await createSession(owner.assistant, { conversation: null });
    const dry_run = true;
    expect((await reanalyze(silent.id, { dry_run })).problem.code).to.equal('conflict');
    expect((await reanalyze('sess_01kaj4v5rzf1xtm8w3b2c9d0e7', { dry_run })).problem.code).to.equal('not_found');
  });

  it('gives a failed session a result after all', async () => {
    const { id } = await createSession(owner.assistant, { status: 'failed', completed_at: new Date() });
    expect((await reanalyze(id)).body.status).to.equal('completed');
    expect((await owner.read(id)).status).to.equal('failed');
  });

  it('fails like a request', async () => {
    const conversation = [{ role: 'client', text: '[vendor status=400]' }];
    const { id } = await createSession(owner.assistant, { status: 'failed', completed_at: new Date(), conversation });
    const { problem } = await reanalyze(id);
    expect(problem).to.include({ code: 'provider_failed', stage: 'analysis' });
    expect(await owner.read(problem.session_id ?? '')).to.include({ status: 'failed', source_session_id: id });
  });

  it('waits no longer than Prefer says', async () => {
    const session = await createSession(owner.assistant);
    service.vendors.hang();
    const { status, headers, body } = await reanalyze(session.id, {}, { Prefer: 'respond-async' });
    expect([status, headers.get('preference-applied')]).to.deep.equal([202, 'respond-async']);
    await service.vendors.pass();
    expect((await owner.untilEnded(body.session_id)).status).to.equal('completed');
  });

  it('can be analyzed again itself', async () => {
    const first = await createSession(owner.assistant);
    const second = (await reanalyze(first.id)).body;
    const third = (await reanalyze(second.session_id)).body;
    expect(third.source_session_id).to.equal(second.session_id);
    expect(third.conversation).to.deep.equal(first.conversation);
  });

  it('answers 409 while there is no transcript', async () => {
    owner = await createSessionOwner(() => service.api, VOICE);
    const session = await createVoiceSession(owner.assistant, { status: 'transcribing', conversation: null });
    expect((await reanalyze(session.id)).problem.code).to.equal('conflict');
    expect(await SessionModel.query().where({ user_id: owner.assistant.user_id }).resultSize()).to.equal(1);
  });

  it('answers 409 once the assistant is deleted', async () => {
    const session = await createSession(owner.assistant);
    await send(service.api, deleteAssistant, { token: owner.token, params: { id: owner.assistant.id } });
    expect((await reanalyze(session.id)).problem.code).to.equal('conflict');
  });

  it('answers 422 with every setting that is not valid, and stores nothing', async () => {
    const session = await createSession(owner.assistant);
    const wrong = { system_prompt: '', llm_provider: 'mistral', llm_model: '', temperature: 1.1, webhook_url: null };
    const fields = [{ name: 'mood', type: 'enum', description: 'How is it?' }];
    const { problem } = await reanalyze(session.id, { ...wrong, fields });
    expect(problem.code).to.equal('validation_failed');
    const paths = [...Object.keys(wrong), 'fields.0.options'];
    expect(problem.errors?.map(({ path }) => path)).to.have.members(paths);
    expect(await SessionModel.query().where({ user_id: owner.assistant.user_id }).resultSize()).to.equal(1);
  });

  it('answers 422 for a provider that this server has no key of', async () => {
    const session = await createSession(owner.assistant);
    const api = await startTestApi({ env: { ...service.env, XAI_API_KEY: '' } });
    try {
      const { problem } = await reanalyze(session.id, { llm_provider: 'grok' }, {}, api);
      expect(problem.errors).to.have.length(1);
      expect(problem.errors?.[0]).to.include({ path: 'llm_provider' });
      expect(problem.errors?.[0]?.message).to.contain('XAI_API_KEY');
    } finally {
      await api.stop();
    }
  });

  it("is 404 for another user's session", async () => {
    const { id } = await createSession(owner.assistant);
    const { token } = await createUser();
    const { problem } = await send(service.api, reanalyzeSession, { token, params: { id }, body: {} });
    expect(problem.code).to.equal('not_found');
  });
});
