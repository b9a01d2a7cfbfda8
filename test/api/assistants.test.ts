import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import {
  createAssistant,
  deleteAssistant,
  duplicateAssistant,
  getAssistant,
  listAssistants,
  updateAssistant,
} from '../../contract/assistants.ts';
import type { Assistant } from '../../contract/assistants.ts';
import { getSession } from '../../contract/sessions.ts';
import { AssistantModel } from '../../db/models/assistant.ts';
import { createSecretBox } from '../../runtime/secrets.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import { send, startTestApi, testConfig } from '../support/api.ts';
import { createSession, createUser } from '../support/factories.ts';

const TEXT = { name: 'Review', type: 'text', llm_provider: 'openai', system_prompt: 'Summarise.' };
const VOICE = { ...TEXT, type: 'voice' };

describe('Assistants', () => {
  let api: RunningApi;
  let token: string;
  let secrets: SecretBox;
  before(async function () {
    this.timeout(0);
    api = await startTestApi();
    secrets = createSecretBox(testConfig().encryptionKeys);
  });
  after(() => api.stop());
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const create = (body: object) => send(api, createAssistant, { token, body });
  const created = async (body: object): Promise<Assistant> => (await create(body)).body;
  const patch = (id: string, body: object) => send(api, updateAssistant, { token, params: { id }, body });
  const read = async (id: string) => (await send(api, getAssistant, { token, params: { id } })).body;
  const pathsOf = (answer: Awaited<ReturnType<typeof create>>) => {
    expect(answer.problem).to.include({ status: 422, code: 'validation_failed' });
    return answer.problem.errors?.map(({ path }) => path);
  };
  const secretOf = async (id: string) => {
    const row = await AssistantModel.query().findById(id).throwIfNotFound();
    return row.webhook_secret === null ? null : secrets.open(row.webhook_secret, id);
  };

  describe('POST /v1/assistants', () => {
    it('§2.3 fills in the defaults of a text assistant and shows them', async () => {
      const answer = await create(TEXT);
      expect(answer.status).to.equal(201);
      const { id, created_at, updated_at, ...settings } = answer.body;
      expect(created_at).to.equal(updated_at);
      const webhook = { webhook_url: null, has_webhook_secret: false, webhook_events: ['session.completed'] };
      const none = {
        description: null,
        version: 1,
        retention_days: null,
        on_vendor_outage: 'fail',
        fallback: null,
        ...webhook,
      };
      const noStt = { stt_provider: null, stt_model: null, stt_language: null, channel_roles: null };
      const filled = { llm_model: 'gpt-6-luna', temperature: 0.7, fields: null };
      expect(settings).to.deep.equal({ ...TEXT, ...none, ...noStt, ...filled });
      expect(await read(id)).to.deep.equal(answer.body);
    });

    it('§2.3 fills in the defaults of a voice assistant and shows them', async () => {
      expect(await created(VOICE)).to.include({
        stt_provider: 'whisper',
        stt_model: 'whisper-1',
        stt_language: 'Auto-Detect',
      });
      expect(await created({ ...VOICE, stt_provider: 'aisha' })).to.include({ stt_model: null });
    });

    it('§2.3 keeps every field that is given', async () => {
      const body = {
        ...{ ...VOICE, description: 'd', stt_provider: 'elevenlabs', stt_model: 'scribe_v1', stt_language: 'pt-BR' },
        ...{ llm_provider: 'anthropic', llm_model: 'claude-sonnet-5-5', temperature: 0.25 },
        webhook_url: 'https://example.com/hooks?a=b',
      };
      expect(await created({ ...body, webhook_secret: 's' })).to.deep.include({ ...body, has_webhook_secret: true });
    });

    it('§2.3 takes every provider that the specification names', async () => {
      for (const llm_provider of ['openai', 'anthropic', 'gemini', 'grok']) {
        const { llm_model } = await created({ ...TEXT, llm_provider });
        expect(llm_model).to.be.a('string').that.is.not.empty;
      }
      for (const stt_provider of ['elevenlabs', 'whisper', 'aisha']) {
        expect(await created({ ...VOICE, stt_provider })).to.include({ stt_provider });
      }
    });

    it('§2.3 needs name, type, llm_provider and system_prompt, and says so of all at once', async () => {
      const answer = await create({});
      expect(pathsOf(answer)).to.have.members(['name', 'type', 'llm_provider', 'system_prompt']);
      expect(answer.problem.errors?.map(({ message }) => message)).to.include('is required');
    });

    it('§2.3 takes a temperature from 0.0 to 1.0 inclusive', async () => {
      for (const temperature of [0, 0.5, 1]) {
        expect(await created({ ...TEXT, temperature })).to.include({ temperature });
      }
      for (const temperature of [-0.01, 1.01, '0.5', true]) {
        expect(pathsOf(await create({ ...TEXT, temperature }))).to.deep.equal(['temperature']);
      }
    });

    it('§2.3 takes stt_* for voice assistants only', async () => {
      const stt = { stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'en' };
      expect(pathsOf(await create({ ...TEXT, ...stt }))).to.have.members(Object.keys(stt));
      expect((await create({ ...TEXT, stt_provider: null, stt_model: null, stt_language: null })).status).to.equal(201);
    });

    for (const [field, value] of [
      ['name', ''],
      ['name', 'x'.repeat(201)],
      ['name', null],
      ['type', 'video'],
      ['type', null],
      ['llm_provider', 'OpenAI'],
      ['llm_model', 'gpt 6'],
      ['llm_model', '../../v1/files'],
      ['llm_model', 'a/../../../admin/x'],
      ['llm_model', 'a/./b'],
      ['llm_model', 'a//b'],
      ['llm_model', '/a'],
      ['llm_model', 'a/'],
      ['llm_model', 'a\u0007b'],
      ['llm_model', 'a%2f..%2fb'],
      ['llm_model', ''],
      ['system_prompt', ''],
      ['system_prompt', 'x'.repeat(100_001)],
      ['description', 'x'.repeat(2_001)],
      ['id', 'asst_01kaj4v5rzf1xtm8w3b2c9d0e7'],
      ['user_id', 'user_01kaj4v5rzf1xtm8w3b2c9d0e7'],
      ['has_webhook_secret', true],
    ] as const) {
      it(`refuses ${field} ${JSON.stringify(value).slice(0, 40)}`, async () => {
        expect(pathsOf(await create({ ...TEXT, [field]: value }))).to.deep.equal([field]);
      });
    }

    it('takes the names that vendors and compatible servers give their models', async () => {
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

    it('takes language codes and nothing else as stt_language', async () => {
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

    it('is never returned, by no answer', async () => {
      const { id } = await created({ ...TEXT, webhook_secret });
      const answers = [
        await create({ ...TEXT, webhook_secret }),
        await patch(id, { webhook_secret }),
        await send(api, getAssistant, { token, params: { id } }),
        await send(api, listAssistants, { token }),
        await send(api, duplicateAssistant, { token, params: { id } }),
      ];
      for (const answer of answers) {
        expect(answer.status).to.be.lessThan(300);
        expect(JSON.stringify(answer.body)).to.contain('"has_webhook_secret":true').and.not.contain(webhook_secret);
        expect(JSON.stringify(answer.body)).not.to.contain('"webhook_secret"');
      }
    });

    it('is encrypted in the row and bound to it', async () => {
      const [one, two] = [await created({ ...TEXT, webhook_secret }), await created({ ...TEXT, webhook_secret })];
      const rows = await AssistantModel.query().findByIds([one.id, two.id]);
      expect(JSON.stringify(rows)).not.to.contain(webhook_secret);
      expect(rows[0]?.webhook_secret).not.to.equal(rows[1]?.webhook_secret);
      expect(await secretOf(one.id)).to.equal(webhook_secret);
      const sealed = (await AssistantModel.query().findById(one.id))?.webhook_secret ?? '';
      expect(secrets.open(sealed, two.id)).to.equal(undefined);
    });

    it('is refused when no header could carry it', async () => {
      for (const secret of ['', 'a b', 'a\r\nX-A: b', 'ключ', '🔑', 'x'.repeat(513), 7]) {
        const answer = await create({ ...TEXT, webhook_secret: secret });
        expect(pathsOf(answer), JSON.stringify(secret)).to.deep.equal(['webhook_secret']);
      }
      expect((await create({ ...TEXT, webhook_secret: `!${'~'.repeat(511)}` })).status).to.equal(201);
    });
  });

  describe('PATCH /v1/assistants/{id}', () => {
    it('changes what is named and nothing else, and moves updated_at', async () => {
      const before = await created({ ...TEXT, description: 'd', temperature: 0.1, webhook_secret: 's' });
      const after = await patch(before.id, { name: 'Other' });
      expect(after.status).to.equal(200);
      const { updated_at, ...rest } = after.body;
      const { updated_at: earlier, ...expected } = before;
      expect(rest).to.deep.equal({ ...expected, name: 'Other' });
      expect(updated_at >= earlier).to.equal(true);
      expect(await secretOf(before.id)).to.equal('s');
      expect(await read(before.id)).to.deep.equal(after.body);
    });

    it('clears an optional field with null: it takes its default again', async () => {
      const url = 'https://example.com/';
      const given = {
        description: 'd',
        llm_model: 'gpt-6.1-terra',
        temperature: 0,
        webhook_url: url,
        webhook_secret: 's',
      };
      const { id } = await created({ ...TEXT, ...given });
      const cleared = Object.fromEntries(Object.keys(given).map((field) => [field, null]));
      const { body } = await patch(id, cleared);
      expect(body).to.include({ description: null, llm_model: 'gpt-6-luna', temperature: 0.7, webhook_url: null });
      expect(body).to.include({ has_webhook_secret: false });
      expect(await secretOf(id)).to.equal(null);
      const voice = await created({ ...VOICE, stt_provider: 'elevenlabs', stt_model: 'scribe_v1', stt_language: 'en' });
      const reset = await patch(voice.id, { stt_provider: null, stt_model: null, stt_language: null });
      expect(reset.body).to.include({ stt_provider: 'whisper', stt_model: 'whisper-1', stt_language: 'Auto-Detect' });
    });

    it('gives another provider its own default model, unless one is named', async () => {
      const { id } = await created({ ...VOICE, llm_model: 'gpt-6.1-terra', stt_model: 'whisper-1' });
      const { body } = await patch(id, { llm_provider: 'anthropic', stt_provider: 'elevenlabs' });
      expect(body).to.include({ llm_model: 'claude-haiku-5-5', stt_model: 'scribe_v2' });
      const named = await patch(id, { llm_provider: 'grok', llm_model: 'grok-4.7' });
      expect(named.body).to.include({ llm_provider: 'grok', llm_model: 'grok-4.7' });
    });

    it('validates the merged record and leaves it as it was when it is refused', async () => {
      const text = await created(TEXT);
      expect(pathsOf(await patch(text.id, { name: 'x', stt_language: 'en' }))).to.deep.equal(['stt_language']);
      for (const body of [{ name: null }, { system_prompt: null }, { llm_provider: null }, { temperature: 2 }]) {
        expect(pathsOf(await patch(text.id, body))).to.deep.equal(Object.keys(body));
      }
      expect(await read(text.id)).to.deep.equal(text);
    });

    it("can't change the type, not even to what it is", async () => {
      const { id } = await created(TEXT);
      for (const type of ['voice', 'text', null]) expect(pathsOf(await patch(id, { type }))).to.deep.equal(['type']);
    });
  });

  describe('GET /v1/assistants', () => {
    it('§4.3 lists all of the user, newest first, and pages when limit is given', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
      for (const name of names) await created({ ...TEXT, name });
      await send(api, createAssistant, { token: (await createUser()).token, body: TEXT });
      const all = await send(api, listAssistants, { token });
      expect(all.body.data.map(({ name }) => name)).to.deep.equal(names.toReversed());
      expect(all.body.next_cursor).to.equal(null);
      const first = await send(api, listAssistants, { token, query: { limit: 40 } });
      await created({ ...TEXT, name: 'later' });
      const rest = await send(api, listAssistants, {
        token,
        query: { limit: 40, cursor: first.body.next_cursor ?? '' },
      });
      expect([...first.body.data, ...rest.body.data]).to.deep.equal(all.body.data);
      expect(rest.body.next_cursor).to.equal(null);
    });
  });

  describe('retention_days', () => {
    it('is kept, copied, changed and cleared; a session stays as long as the server says without it', async () => {
      const { body } = await create({ ...TEXT, retention_days: 90 });
      expect(body.retention_days).to.equal(90);
      const { id } = body;
      expect((await send(api, duplicateAssistant, { token, params: { id } })).body.retention_days).to.equal(90);
      expect((await patch(id, { retention_days: 7 })).body.retention_days).to.equal(7);
      expect((await patch(id, { name: 'Other' })).body.retention_days).to.equal(7);
      expect((await patch(id, { retention_days: null })).body.retention_days).to.equal(null);
      expect((await create(TEXT)).body.retention_days).to.equal(null);
    });

    it('is refused below a day, and beyond what SESSION_RETENTION_DAYS sets', async () => {
      for (const retention_days of [0, -1, 1.5, 36_501, '7']) {
        expect(pathsOf(await create({ ...TEXT, retention_days }))).to.deep.equal(['retention_days']);
      }
      const strict = await startTestApi({ env: { SESSION_RETENTION_DAYS: '30' } });
      try {
        const createThere = (retention_days: number) =>
          send(strict, createAssistant, { token, body: { ...TEXT, retention_days } });
        const { id } = (await createThere(30)).body;
        expect((await createThere(31)).problem.errors?.[0]?.message).to.contain('SESSION_RETENTION_DAYS');
        const patch = { token, params: { id }, body: { retention_days: 31 } };
        expect((await send(strict, updateAssistant, patch)).problem.errors?.[0]?.path).to.equal('retention_days');
      } finally {
        await strict.stop();
      }
    });
  });

  describe('POST /v1/assistants/{id}/duplicate', () => {
    it('§4.3 copies all of it, the secret too, under a name of its own', async () => {
      const given = { stt_language: 'en', description: 'd', temperature: 0, webhook_url: 'https://example.com/' };
      const original = await created({ ...VOICE, ...given, webhook_secret: 's' });
      const answer = await send(api, duplicateAssistant, { token, params: { id: original.id } });
      expect(answer.status).to.equal(201);
      const { id, created_at: _created, updated_at: _updated, ...copied } = answer.body;
      const { id: from, created_at: _c, updated_at: _u, ...expected } = original;
      expect(copied).to.deep.equal({ ...expected, name: 'Review (copy)' });
      expect(id).not.to.equal(from);
      expect(await secretOf(id)).to.equal('s');
      await patch(id, { name: 'x', webhook_secret: 'other' });
      expect(await read(from)).to.deep.equal(original);
      expect(await secretOf(from)).to.equal('s');
    });

    it('cuts a name that would outgrow its bound, between characters', async () => {
      const { id } = await created({ ...TEXT, name: '👍'.repeat(200) });
      const { body } = await send(api, duplicateAssistant, { token, params: { id } });
      expect(body.name).to.equal(`${'👍'.repeat(193)} (copy)`);
    });
  });

  describe('DELETE /v1/assistants/{id}', () => {
    it('§4.3 removes it and keeps its sessions readable', async () => {
      const { id } = await created(TEXT);
      const row = await AssistantModel.query().findById(id).throwIfNotFound();
      const session = await createSession(row, { status: 'completed', summary_text: 'kept' });
      expect((await send(api, deleteAssistant, { token, params: { id } })).status).to.equal(204);
      for (const endpoint of [getAssistant, deleteAssistant, duplicateAssistant]) {
        expect((await send(api, endpoint, { token, params: { id } })).status).to.equal(404);
      }
      const { body } = await send(api, getSession, { token, params: { id: session.id } });
      expect(body).to.deep.include({ assistant_id: id, summary_text: 'kept', assistant: row.freeze() });
    });
  });

  describe('a vendor whose key is missing', () => {
    it('is a 422 that names the variable, in production', async () => {
      const none = { OPENAI_API_KEY: '', XAI_API_KEY: '', WHISPER_API_KEY: '', AISHA_API_KEY: '' };
      const bare = await startTestApi({ env: { NODE_ENV: 'production', WEBHOOK_ALLOW_HOSTS: '', ...none } });
      try {
        for (const [body, field, variable] of [
          [TEXT, 'llm_provider', 'OPENAI_API_KEY'],
          [{ ...TEXT, llm_provider: 'grok' }, 'llm_provider', 'XAI_API_KEY'],
          [{ ...VOICE, llm_provider: 'gemini' }, 'stt_provider', 'WHISPER_API_KEY'],
          [{ ...VOICE, llm_provider: 'gemini', stt_provider: 'aisha' }, 'stt_provider', 'AISHA_API_KEY'],
        ] as const) {
          const { problem } = await send(bare, createAssistant, { token, body });
          expect(problem).to.include({ status: 422, code: 'validation_failed' });
          expect(problem.errors?.map(({ path }) => path)).to.deep.equal([field]);
          expect(problem.errors?.[0]?.message).to.contain(variable);
        }
        const other = await send(bare, createAssistant, { token, body: { ...TEXT, llm_provider: 'anthropic' } });
        const { problem } = await send(bare, updateAssistant, {
          token,
          params: { id: other.body.id },
          body: { llm_provider: 'grok' },
        });
        expect(problem.errors?.[0]?.message).to.contain('XAI_API_KEY');
      } finally {
        await bare.stop();
      }
    });
  });
});
