import { LLM_PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import type { ReanalysisEstimate } from '../../../contract/sessions/session-operations.ts';
import { type Session } from '../../../contract/sessions/sessions.ts';
import { reanalyzeSession as prepareReanalysis } from '../../../api/sessions/reanalyze-session.ts';
import { DeliveryModel } from '../../../db/models/delivery.ts';
import { SessionModel } from '../../../db/models/session.ts';
import { ProviderCallModel } from '../../../db/models/provider-call.ts';
import { send, testConfig, type Answer } from '../../support/api.ts';
import { createVoiceSession } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { createSession, says, VOICE } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { createSessionOwner, type SessionOwner } from '../../support/sessions.ts';
import { useSharedService } from '../../support/shared-service.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { testTemporal } from '../../support/temporal.ts';

describe('POST /v1/sessions/{id}/reanalyze', () => {
  const service = useSharedService();
  let owner: SessionOwner;
  beforeEach(async () => {
    owner = await createSessionOwner(() => service.api);
  });

  /** Refuses dry runs. */
  const reanalyze = (id: string, body: object = {}) =>
    send(service.api, 'reanalyzeSession', { token: owner.token, params: { id }, body }) as Promise<Answer<Session>>;

  const estimate = async (id: string, body: object = {}) => {
    const options = { token: owner.token, params: { id }, body: { ...body, dry_run: true } };
    return (await send(service.api, 'reanalyzeSession', options)).body as ReanalysisEstimate;
  };

  const callsOf = async (id: string) => ProviderCallModel.findOfSession(id);

  const change = (body: object) =>
    send(service.api, 'updateAssistant', { token: owner.token, params: { id: owner.assistant.id }, body });

  it('creates a new session with the same conversation and the current settings', async () => {
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
    const again = (await reanalyze(body.session_id)).body;
    expect(again).to.deep.include({ source_session_id: body.session_id, conversation: source.conversation });
  });

  it('with trial: true sends no webhook, does not count in results, keeps the source unchanged, and has a cost', async () => {
    const receiver = await stopAfterTest(startReceiver());
    await change({ webhook_url: receiver.url, webhook_events: ['session.completed', 'session.failed'] });
    const fields = [{ name: 'about', type: 'string', description: 'What is it about?' }];
    const source = await createSession(owner.assistant, { status: 'completed' });
    const before = await owner.read(source.id);
    const { body } = await reanalyze(source.id, { fields, trial: true });
    expect(body).to.include({ status: 'completed', trial: true, assistant_version: null, delivery: null });
    expect(body.raw_response?.['fields']).to.have.property('about');
    expect((await callsOf(body.session_id)).map(({ status }) => status)).to.deep.equal(['succeeded']);
    expect(await owner.read(source.id)).to.deep.equal(before);

    const conversation = says('[provider status=400]');
    const refused = await createSession(owner.assistant, { status: 'completed', conversation });
    const { problem } = await reanalyze(refused.id, { trial: true });
    expect(problem.code).to.equal('provider_failed');

    const { id } = owner.assistant;
    const results = await send(service.api, 'getAssistantResults', { token: owner.token, params: { id } });
    expect(results.body.sessions).to.equal(0);
    expect(await DeliveryModel.query().where({ assistant_id: id })).to.deep.equal([]);
    expect((await reanalyze(source.id)).body)
      .to.include({ trial: false })
      .and.to.have.nested.property('delivery.status');
  });

  it('overrides settings for this session only, and keeps the metadata', async () => {
    const session = await createSession(owner.assistant, { status: 'completed', metadata: { call_id: 'c-1' } });
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
    const other = await reanalyze(session.id, { llm_provider: 'gemini' });
    expect(other.body.assistant.llm_model).to.equal(LLM_PROVIDER_FACTS.gemini.default_model);
    const again = await reanalyze(session.id);
    expect(again.body.assistant).to.deep.equal(owner.assistant.freeze());
  });

  it('overrides fields for this session only; unchanged fields do not count as an override', async () => {
    const asked = (name: string) => ({ name, type: 'boolean', description: 'Is it so?', evidence: true }) as const;
    owner = await createSessionOwner(() => service.api, { fields: [asked('resolved')] });
    const session = await createSession(owner.assistant, { status: 'completed' });
    const other = (await reanalyze(session.id, { fields: [asked('polite')] })).body;
    expect(other.assistant.fields).to.deep.equal([asked('polite')]);
    expect(Object.keys(other.raw_response?.['fields'] as object)).to.deep.equal(['polite']);
    expect(other.assistant_version).to.equal(null);
    const none = (await reanalyze(session.id, { fields: null })).body;
    expect(none.assistant).not.to.have.property('fields');
    expect(none.raw_response).not.to.have.property('fields');
    const same = (await reanalyze(session.id, { fields: [asked('resolved')] })).body;
    expect(same).to.deep.include({ assistant: owner.assistant.freeze(), assistant_version: 1 });
    const titled = (await reanalyze(session.id, { fields: [{ ...asked('resolved'), title: 'Solved' }] })).body;
    expect(titled.assistant_version, 'another title').to.equal(1);
  });

  it('copies the transcript: no second transcription is paid, and the recording is not moved', async () => {
    const transcript = { text: 'Hello.', language: 'en', duration_s: 2 };
    owner = await createSessionOwner(() => service.api, VOICE);
    const source = await createVoiceSession(owner.assistant, { status: 'completed', transcript });
    await change({ stt_provider: 'elevenlabs' });
    const { body } = await reanalyze(source.id);
    expect(body).to.deep.include({ type: 'voice', status: 'completed', transcript, conversation: source.conversation });
    expect(body.assistant).to.include({ stt_provider: 'whisper', stt_model: 'whisper-1' });
    expect((await callsOf(body.session_id)).map(({ step }) => step)).to.deep.equal(['analysis']);
    const audio = await send(service.api, 'getSessionAudio', { token: owner.token, params: { id: body.session_id } });
    expect(audio.problem.code).to.equal('not_found');
  });

  it('says that the session does not exist if it is deleted meanwhile', async () => {
    const source = await createSession(owner.assistant, { status: 'completed' });
    const deps = { config: testConfig(service.env), temporal: (await testTemporal()).temporal.client };
    const choice = { overrides: {}, trial: false, created_by: 'key_1' };
    const { start } = await prepareReanalysis(deps, source, choice);
    await SessionModel.query().deleteById(source.id);
    expect(await errorOf(start(false))).to.include({ code: 'not_found' });
  });

  it('estimates the cost in a dry run, and stores nothing', async () => {
    const id = await owner.submit();
    await owner.untilEnded(id);
    const count = () => SessionModel.query().where({ workspace_id: owner.assistant.workspace_id }).resultSize();
    const same = await estimate(id);
    const [paid] = await callsOf(id);
    expect(same).to.include({ llm_provider: 'openai', expected_cost_usd: paid?.cost_usd ?? undefined });
    expect(same.expected_usage).to.include({ input_tokens: paid?.usage?.input_tokens });
    const longer = await estimate(id, { system_prompt: 'Look closely. '.repeat(5_000) });
    expect(longer.expected_cost_usd).to.be.greaterThan(same.expected_cost_usd ?? Infinity);
    const unknown = await estimate(id, { llm_model: 'nobody-has-a-price' });
    expect(unknown).to.include({ expected_cost_usd: null, max_cost_usd: null, llm_model: 'nobody-has-a-price' });
    expect(await count()).to.equal(1);
  });

  it('estimates no cost if nothing was analyzed before, and refuses the same requests as the reanalysis', async () => {
    const { id } = await createSession(owner.assistant, { status: 'failed' });
    const found = await estimate(id);
    expect(found).to.include({ expected_usage: null, expected_cost_usd: null, max_cost_usd: null });
    const silent = await createSession(owner.assistant, { conversation: null });
    const dry_run = true;
    expect((await reanalyze(silent.id, { dry_run })).problem.code).to.equal('conflict');
    expect((await reanalyze('sess_01kaj4v5rzf1xtm8w3b2c9d0e7', { dry_run })).problem.code).to.equal('not_found');
  });

  it('creates a result for a failed session, or fails like a request', async () => {
    const { id } = await createSession(owner.assistant, { status: 'failed' });
    expect((await reanalyze(id)).body.status).to.equal('completed');
    expect((await owner.read(id)).status).to.equal('failed');
    const refused = await createSession(owner.assistant, {
      status: 'failed',
      conversation: says('[provider status=400]'),
    });
    const { problem } = await reanalyze(refused.id);
    expect(problem).to.include({ code: 'provider_failed', stage: 'analysis' });
    expect(await owner.read(problem.session_id ?? '')).to.include({ status: 'failed', source_session_id: refused.id });
  });

  it('answers 409 if the assistant is deleted', async () => {
    const session = await createSession(owner.assistant);
    await send(service.api, 'deleteAssistant', { token: owner.token, params: { id: owner.assistant.id } });
    expect((await reanalyze(session.id)).problem.code).to.equal('conflict');
  });

  it('answers 422 with every invalid setting, and stores nothing', async () => {
    const session = await createSession(owner.assistant);
    const wrong = { system_prompt: '', llm_provider: 'mistral', llm_model: '', temperature: 1.1, webhook_url: null };
    const fields = [{ name: 'mood', type: 'enum', description: 'How is it?' }];
    const { problem } = await reanalyze(session.id, { ...wrong, fields });
    expect(problem.code).to.equal('validation_failed');
    const paths = [...Object.keys(wrong), 'fields.0.options'];
    expect(problem.errors?.map(({ path }) => path)).to.have.members(paths);
    expect(await SessionModel.query().where({ workspace_id: owner.assistant.workspace_id }).resultSize()).to.equal(1);
  });
});
