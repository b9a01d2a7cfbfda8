import { deleteAssistant, duplicateAssistant, getAssistant } from '../../../contract/assistants/assistants.ts';
import type { Assistant } from '../../../contract/assistants/assistant-schemas.ts';
import { AssistantModel } from '../../../db/models/assistant.ts';
import { createSecretBox, type SecretBox } from '../../../runtime/secrets/secrets.ts';
import { send, startTestApi, testConfig } from '../../support/api.ts';
import { createSession, createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const TEXT = TEXT_SETTINGS;
const VOICE = { ...TEXT, type: 'voice' };

describe('Assistants', () => {
  const api = useTestApi();
  let secrets: SecretBox;
  let token: string;
  before(() => {
    secrets = createSecretBox(testConfig().encryptionKeys);
  });
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const create = (body: object) => send(api, 'createAssistant', { token, body });
  const created = async (body: object): Promise<Assistant> => (await create(body)).body;
  const patch = (id: string, body: object) => send(api, 'updateAssistant', { token, params: { id }, body });
  const read = async (id: string) => (await send(api, 'getAssistant', { token, params: { id } })).body;
  const pathsOf = (answer: Awaited<ReturnType<typeof create>>) => {
    expect(answer.problem).to.include({ status: 422, code: 'validation_failed' });
    return answer.paths;
  };
  const secretOf = async (id: string) => {
    const row = await AssistantModel.query().findById(id).throwIfNotFound();
    return row.webhook_secret === null ? null : secrets.open(row.webhook_secret, id);
  };

  describe('POST /v1/assistants', () => {
    it('§2.3 applies the defaults and returns them', async () => {
      const answer = await create(TEXT);
      expect(answer.status).to.equal(201);
      const { id, created_at, updated_at, ...settings } = answer.body;
      expect(created_at).to.equal(updated_at);
      expect(settings).to.deep.equal({
        ...TEXT,
        description: null,
        version: 1,
        retention_days: null,
        channels_required: false,
        on_provider_outage: 'fail',
        fallback: null,
        webhook_url: null,
        has_webhook_secret: false,
        webhook_auth: 'both',
        webhook_events: ['session.completed'],
        alerts: [],
        redaction: null,
        stt_provider: null,
        stt_model: null,
        stt_language: null,
        channel_roles: null,
        llm_model: 'gpt-6-luna',
        temperature: 0.7,
        reasoning_effort: null,
        max_output_tokens: null,
        fields: null,
      });
      expect(await read(id)).to.deep.equal(answer.body);
      const voice = { stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' };
      expect(await created(VOICE)).to.include(voice);
      expect(await created({ ...VOICE, stt_provider: 'aisha' })).to.include({ stt_model: null });
      for (const llm_provider of ['openai', 'anthropic', 'gemini', 'grok']) {
        expect((await created({ ...TEXT, llm_provider })).llm_model).to.be.a('string').that.is.not.empty;
      }
    });

    it('§2.3 stores every given setting', async () => {
      const body = {
        ...VOICE,
        description: 'd',
        stt_provider: 'elevenlabs',
        stt_model: 'scribe_v1',
        stt_language: 'pt-BR',
        llm_provider: 'anthropic',
        llm_model: 'claude-sonnet-5-5',
        temperature: 0.25,
        webhook_url: 'https://example.com/hooks?a=b',
        webhook_events: ['session.failed'],
        retention_days: 90,
      };
      expect(await created({ ...body, webhook_secret: 'whsec-0123456789' })).to.deep.include({
        ...body,
        has_webhook_secret: true,
      });
    });

    it('refuses languages that the speech-to-text provider or its fallback does not transcribe', async () => {
      const aisha = { ...VOICE, stt_provider: 'aisha' };
      for (const stt_language of ['uz', 'uz-Latn-UZ', 'uzb', 'ru', 'en-GB', 'Auto-Detect'])
        expect(await created({ ...aisha, stt_language })).to.include({ stt_language });
      for (const stt_language of ['he', 'nb', 'zh-Hans']) {
        const answer = await create({ ...aisha, stt_language });
        expect(pathsOf(answer)).to.deep.equal(['stt_language']);
        expect(answer.problem.errors?.[0]?.message).to.contain('uz, ru, en');
        const second = { ...VOICE, stt_language, fallback: { stt_provider: 'aisha' } };
        expect(pathsOf(await create(second))).to.deep.equal(['fallback.stt_provider']);
      }
      const { id } = await created({ ...VOICE, stt_language: 'he' });
      expect(pathsOf(await patch(id, { stt_provider: 'aisha' }))).to.deep.equal(['stt_language']);
    });

    it('§2.3 requires name, type, llm_provider and system_prompt, and names all missing ones', async () => {
      const answer = await create({});
      expect(pathsOf(answer)).to.have.members(['name', 'type', 'llm_provider', 'system_prompt']);
      expect(answer.problem.errors?.map(({ message }) => message)).to.include('is required');
    });

    it('§2.3 accepts a temperature from 0.0 to 1.0', async () => {
      for (const temperature of [0, 0.5, 1]) {
        expect(await created({ ...TEXT, temperature })).to.include({ temperature });
      }
      for (const temperature of [-0.01, 1.01, '0.5', true]) {
        expect(pathsOf(await create({ ...TEXT, temperature }))).to.deep.equal(['temperature']);
      }
    });

    it('§2.3 accepts a speech-to-text provider and model for voice assistants only, and a language for all', async () => {
      const stt = { stt_provider: 'whisper', stt_model: 'whisper-1' };
      expect(pathsOf(await create({ ...TEXT, ...stt, stt_language: 'en' }))).to.have.members(Object.keys(stt));
      expect(await created({ ...TEXT, stt_language: 'uz' })).to.include({ stt_language: 'uz', stt_provider: null });
      expect((await create({ ...TEXT, stt_provider: null, stt_model: null, stt_language: null })).status).to.equal(201);
    });

    it('refuses invalid values, and properties that clients cannot set', async () => {
      for (const [field, ...values] of [
        ['name', '', 'x'.repeat(201), null],
        ['type', 'video', null],
        ['llm_provider', 'OpenAI'],
        ['llm_model', 'gpt 6', '../../v1/files', 'a/../../../admin/x', 'a/./b', 'a//b', '/a', 'a/', 'a\u0007b', ''],
        ['llm_model', 'a%2f..%2fb'],
        ['system_prompt', '', 'x'.repeat(100_001)],
        ['description', 'x'.repeat(2_001)],
        ['id', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7'],
        ['workspace_id', 'user_01kaj4v5rzf1xtm8w3b2c9d0e7'],
        ['has_webhook_secret', true],
      ] as const) {
        for (const value of values) {
          const answer = await create({ ...TEXT, [field]: value });
          expect(pathsOf(answer), JSON.stringify(value).slice(0, 40)).to.deep.equal([field]);
        }
      }
    });

    it('accepts the model names of providers and compatible servers', async () => {
      for (const llm_model of [
        'gpt-6-luna',
        'org/model',
        'tunedModels/mine-1',
        'llama3.2:3b',
        'a@2026-01-01',
        'a--b',
      ]) {
        expect(await created({ ...TEXT, llm_model })).to.include({ llm_model });
      }
    });

    it('accepts only language codes as stt_language', async () => {
      for (const stt_language of ['en', 'uzb', 'pt-BR', 'zh-Hant-TW', 'Auto-Detect']) {
        expect(await created({ ...VOICE, stt_language })).to.include({ stt_language });
      }
      for (const stt_language of ['', 'english', 'auto-detect', 'en_US', 'e']) {
        expect(pathsOf(await create({ ...VOICE, stt_language })), stt_language).to.deep.equal(['stt_language']);
      }
    });
  });

  describe('webhook_secret', () => {
    const webhook_secret = 'whsec-never-to-be-seen';

    it('is in no response', async () => {
      const { id } = await created({ ...TEXT, webhook_secret });
      const answers = [
        await create({ ...TEXT, webhook_secret }),
        await patch(id, { webhook_secret }),
        await send(api, 'getAssistant', { token, params: { id } }),
        await send(api, 'listAssistants', { token }),
        await send(api, 'duplicateAssistant', { token, params: { id } }),
      ];
      for (const answer of answers) {
        expect(answer.status).to.be.lessThan(300);
        expect(JSON.stringify(answer.body)).to.contain('"has_webhook_secret":true').and.not.contain(webhook_secret);
        expect(JSON.stringify(answer.body)).not.to.contain('"webhook_secret"');
      }
    });

    it('is stored encrypted, and can be decrypted only for its own assistant', async () => {
      const [one, two] = [await created({ ...TEXT, webhook_secret }), await created({ ...TEXT, webhook_secret })];
      const rows = await AssistantModel.query().findByIds([one.id, two.id]);
      expect(JSON.stringify(rows)).not.to.contain(webhook_secret);
      expect(rows[0]?.webhook_secret).not.to.equal(rows[1]?.webhook_secret);
      expect(await secretOf(one.id)).to.equal(webhook_secret);
      const sealed = (await AssistantModel.query().findById(one.id))?.webhook_secret ?? '';
      expect(secrets.open(sealed, two.id)).to.equal(undefined);
    });

    it('has 1 to 512 characters that are valid in a header', async () => {
      for (const secret of [
        '',
        'a b',
        'a\r\nX-A: b'.repeat(9),
        'ключ'.repeat(9),
        '🔑'.repeat(16),
        'x'.repeat(513),
        7,
      ]) {
        const answer = await create({ ...TEXT, webhook_secret: secret });
        expect(pathsOf(answer), JSON.stringify(secret)).to.deep.equal(['webhook_secret']);
      }
      for (const secret of ['x', `!${'~'.repeat(511)}`]) {
        expect((await create({ ...TEXT, webhook_secret: secret })).status).to.equal(201);
      }
    });
  });

  describe('PATCH /v1/assistants/{id}', () => {
    it('changes only the given fields and updated_at', async () => {
      const more = { webhook_events: ['session.failed'], retention_days: 7, webhook_secret: 'whsec-0123456789' };
      const before = await created({ ...TEXT, description: 'd', temperature: 0.1, ...more });
      const after = await patch(before.id, { name: 'Other' });
      expect(after.status).to.equal(200);
      const { updated_at, ...rest } = after.body;
      const { updated_at: earlier, ...expected } = before;
      expect(rest).to.deep.equal({ ...expected, name: 'Other' });
      expect(updated_at >= earlier).to.equal(true);
      expect(await secretOf(before.id)).to.equal('whsec-0123456789');
      expect(await read(before.id)).to.deep.equal(after.body);
    });

    it('resets an optional field to its default if it is null', async () => {
      const webhook = { webhook_url: 'https://example.com/', webhook_secret: 'whsec-0123456789' };
      const events = { webhook_events: ['session.failed'], retention_days: 7 };
      const given = { description: 'd', llm_model: 'gpt-6.1-terra', temperature: 0, ...events, ...webhook };
      const { id } = await created({ ...TEXT, ...given });
      const cleared = Object.fromEntries(Object.keys(given).map((field) => [field, null]));
      const { body } = await patch(id, cleared);
      expect(body).to.include({ description: null, llm_model: 'gpt-6-luna', temperature: 0.7, webhook_url: null });
      expect(body).to.deep.include({ has_webhook_secret: false, retention_days: null });
      expect(body.webhook_events).to.deep.equal(['session.completed']);
      expect(await secretOf(id)).to.equal(null);
      const voice = await created({ ...VOICE, stt_provider: 'elevenlabs', stt_model: 'scribe_v1', stt_language: 'en' });
      const reset = await patch(voice.id, { stt_provider: null, stt_model: null, stt_language: null });
      expect(reset.body).to.include({ stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' });
    });

    it('gives another provider its default model, unless a model is given', async () => {
      const { id } = await created({ ...VOICE, llm_model: 'gpt-6.1-terra', stt_model: 'whisper-1' });
      const { body } = await patch(id, { llm_provider: 'anthropic', stt_provider: 'elevenlabs' });
      expect(body).to.include({ llm_model: 'claude-haiku-5-5', stt_model: 'scribe_v2' });
      const named = await patch(id, { llm_provider: 'grok', llm_model: 'grok-4.7' });
      expect(named.body).to.include({ llm_provider: 'grok', llm_model: 'grok-4.7' });
    });

    it('validates all settings together, and changes nothing if they are invalid', async () => {
      const text = await created(TEXT);
      expect(pathsOf(await patch(text.id, { name: 'x', stt_model: 'whisper-1' }))).to.deep.equal(['stt_model']);
      for (const body of [{ name: null }, { system_prompt: null }, { llm_provider: null }, { temperature: 2 }]) {
        expect(pathsOf(await patch(text.id, body))).to.deep.equal(Object.keys(body));
      }
      expect(await read(text.id)).to.deep.equal(text);
      expect((await patch(text.id, { stt_language: 'ru' })).body).to.include({ stt_language: 'ru', stt_model: null });
    });

    it('refuses the type, even the current one', async () => {
      const { id } = await created(TEXT);
      for (const type of ['voice', 'text', null]) expect(pathsOf(await patch(id, { type }))).to.deep.equal(['type']);
    });
  });

  it('§4.3 are listed newest first, without those of other users', async () => {
    for (const name of ['1', '2', '3']) await created({ ...TEXT, name });
    await send(api, 'createAssistant', { token: (await createUser()).token, body: TEXT });
    const { data } = (await send(api, 'listAssistants', { token })).body;
    expect(data.map(({ name }) => name)).to.deep.equal(['3', '2', '1']);
    const page = async (query: object) =>
      (await send(api, 'listAssistants', { token, query: { limit: 2, ...query } })).body;
    const first = await page({});
    expect([...first.data, ...(await page({ cursor: first.next_cursor ?? '' })).data]).to.deep.equal(data);
  });

  it('retention_days is refused below one day and above SESSION_RETENTION_DAYS', async () => {
    for (const retention_days of [0, -1, 1.5, 36_501, '7']) {
      expect(pathsOf(await create({ ...TEXT, retention_days }))).to.deep.equal(['retention_days']);
    }
    const strict = await stopAfterTest(startTestApi({ env: { SESSION_RETENTION_DAYS: '30' } }));
    const createThere = (retention_days: number) =>
      send(strict, 'createAssistant', { token, body: { ...TEXT, retention_days } });
    const { id } = (await createThere(30)).body;
    expect((await createThere(31)).problem.errors?.[0]?.message).to.contain('SESSION_RETENTION_DAYS');
    const patch = { token, params: { id }, body: { retention_days: 31 } };
    expect((await send(strict, 'updateAssistant', patch)).problem.errors?.[0]?.path).to.equal('retention_days');
  });

  describe('POST /v1/assistants/{id}/duplicate', () => {
    it('§4.3 copies everything, including the secret, with a new name', async () => {
      const webhook = { webhook_url: 'https://example.com/', webhook_events: ['session.failed'] };
      const given = { stt_language: 'en', description: 'd', temperature: 0, retention_days: 90, ...webhook };
      const original = await created({ ...VOICE, ...given, webhook_secret: 'whsec-0123456789' });
      const answer = await send(api, 'duplicateAssistant', { token, params: { id: original.id } });
      expect(answer.status).to.equal(201);
      const { id, created_at: _created, updated_at: _updated, ...copied } = answer.body;
      const { id: from, created_at: _c, updated_at: _u, ...expected } = original;
      expect(copied).to.deep.equal({ ...expected, name: 'Review (copy)' });
      expect(id).not.to.equal(from);
      expect(await secretOf(id)).to.equal('whsec-0123456789');
      await patch(id, { name: 'x', webhook_secret: 'another-0123456789' });
      expect(await read(from)).to.deep.equal(original);
      expect(await secretOf(from)).to.equal('whsec-0123456789');
    });

    it('truncates a name that becomes too long, at a character boundary', async () => {
      const { id } = await created({ ...TEXT, name: '👍'.repeat(200) });
      const { body } = await send(api, 'duplicateAssistant', { token, params: { id } });
      expect(body.name).to.equal(`${'👍'.repeat(193)} (copy)`);
    });
  });

  it('§4.3 DELETE /v1/assistants/{id} deletes the assistant and keeps its sessions readable', async () => {
    const { id } = await created(TEXT);
    const row = await AssistantModel.query().findById(id).throwIfNotFound();
    const session = await createSession(row, { status: 'completed', summary_text: 'kept' });
    expect((await send(api, 'deleteAssistant', { token, params: { id } })).status).to.equal(204);
    for (const endpoint of [getAssistant, deleteAssistant, duplicateAssistant]) {
      expect((await send(api, endpoint, { token, params: { id } })).status).to.equal(404);
    }
    const { body } = await send(api, 'getSession', { token, params: { id: session.id } });
    expect(body).to.deep.include({ assistant_id: id, summary_text: 'kept', assistant: row.freeze() });
  });

  it('get a 422 that names the variable if a provider key is missing; other changes and copies work', async () => {
    const { id } = await created({ ...TEXT, llm_provider: 'grok' });
    const session = await createSession(await AssistantModel.query().findById(id).throwIfNotFound());
    const none = { OPENAI_API_KEY: '', XAI_API_KEY: '', WHISPER_API_KEY: '', AISHA_API_KEY: '' };
    const env = { NODE_ENV: 'production', WEBHOOK_ALLOW_HOSTS: '', AUDIO_URL_ALLOW_HOSTS: '', ...none };
    const bare = await stopAfterTest(startTestApi({ env }));
    const change = (body: object) => send(bare, 'updateAssistant', { token, params: { id }, body });
    expect((await change({ name: 'x', llm_provider: 'grok' })).body).to.include({ name: 'x' });
    expect((await send(bare, 'duplicateAssistant', { token, params: { id } })).status).to.equal(201);
    await change({ llm_provider: 'anthropic' });
    const make = (body: object) => send(bare, 'createAssistant', { token, body });
    const reanalysis = { token, params: { id: session.id }, body: { llm_provider: 'grok' } };
    for (const [answer, field, variable] of [
      [await make(TEXT), 'llm_provider', 'OPENAI_API_KEY'],
      [await make({ ...TEXT, llm_provider: 'grok' }), 'llm_provider', 'XAI_API_KEY'],
      [await make({ ...VOICE, llm_provider: 'gemini' }), 'stt_provider', 'WHISPER_API_KEY'],
      [await make({ ...VOICE, llm_provider: 'gemini', stt_provider: 'aisha' }), 'stt_provider', 'AISHA_API_KEY'],
      [await change({ llm_provider: 'grok' }), 'llm_provider', 'XAI_API_KEY'],
      [await send(bare, 'reanalyzeSession', reanalysis), 'llm_provider', 'XAI_API_KEY'],
    ] as const) {
      expect(answer.problem).to.include({ status: 422, code: 'validation_failed' });
      expect(answer.paths).to.deep.equal([field]);
      expect(answer.problem.errors?.[0]?.message).to.contain(variable);
    }
  });
});
