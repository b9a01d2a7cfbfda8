import type { AssistantSettings } from '../../../contract/assistants/assistant-schemas.ts';
import type { Session } from '../../../contract/sessions/sessions.ts';
import { VERSIONED_SETTINGS } from '../../../contract/assistants/settings.ts';
import type { VersionedSettings } from '../../../contract/assistants/versioned-settings.ts';
import { AssistantVersionModel } from '../../../db/models/assistant-version.ts';
import { send, startTestApi } from '../../support/api.ts';
import { createUser, TEXT_SETTINGS } from '../../support/factories.ts';
import { logInAs } from '../../support/members.ts';
import { useTestApi } from '../../support/set-up.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const TEXT = TEXT_SETTINGS;
const VOICE = { ...TEXT, type: 'voice', stt_provider: 'elevenlabs' } as const;
const ASYNC = { Prefer: 'respond-async' };

describe('Versions of an assistant', () => {
  const api = useTestApi();
  let token: string;
  beforeEach(async () => {
    token = (await createUser()).token;
  });

  const created = async (body: AssistantSettings = TEXT) => (await send(api, 'createAssistant', { token, body })).body;
  const patch = (id: string, body: object) => send(api, 'updateAssistant', { token, params: { id }, body });
  const list = async (id: string, query = {}) =>
    (await send(api, 'listAssistantVersions', { token, params: { id }, query })).body;
  const read = (id: string, version: number) =>
    send(api, 'getAssistantVersion', { token, params: { id, version: String(version) } });
  const restore = (id: string, version: number, headers = {}) =>
    send(api, 'restoreAssistantVersion', { token, params: { id, version: String(version) }, headers });
  const present = async (id: string) => send(api, 'getAssistant', { token, params: { id } });

  it('start at 1 when the assistant is created', async () => {
    const { id, version, created_at, ...assistant } = await created();
    expect(version).to.equal(1);
    const settings = Object.fromEntries(
      VERSIONED_SETTINGS.flatMap((name) => (name in assistant ? [[name, assistant[name]]] : [])),
    );
    const [first] = (await list(id)).data;
    expect(first?.created_by).to.match(/^key_/);
    expect(first).to.deep.equal({ version, settings, restored_from: null, created_at, created_by: first?.created_by });
  });

  it('name the token or the person that created each of them, also after the next one', async () => {
    const { user, token: key } = await createUser();
    const { id } = (await send(api, 'createAssistant', { token: key, body: TEXT })).body;
    const login = await logInAs(user);
    await send(api, 'updateAssistant', { token: login, params: { id }, body: { system_prompt: 'Another.' } });
    await send(api, 'restoreAssistantVersion', { token: key, params: { id, version: '1' } });
    const { data } = (await send(api, 'listAssistantVersions', { token: key, params: { id } })).body;
    const [restored, changed, first] = data.map(({ created_by }) => created_by);
    expect([restored, changed]).to.deep.equal([first, user.id]);
    expect(first).to.match(/^key_/);
  });

  it('increase with each change of a setting that affects results, and with no other change', async () => {
    const { id } = await created({ ...VOICE, channel_roles: ['operator', 'client'] });
    const changes: Record<string, unknown> = {
      system_prompt: 'Judge.',
      llm_model: 'gpt-6.1-terra',
      llm_provider: 'anthropic',
      temperature: 0.1,
      reasoning_effort: 'low',
      max_output_tokens: 1_000,
      stt_language: 'uz',
      stt_model: 'scribe_v1',
      channel_roles: null,
      vocabulary: ['Northline'],
      stt_provider: 'aisha',
      fallback: { llm_provider: 'gemini' },
      fields: [{ name: 'resolved', type: 'boolean', description: 'Was it solved?' }],
      redaction: { entities: ['card'], originals: 'discard', keep_audio: false },
    };
    let expected = 1;
    for (const [name, value] of Object.entries(changes)) {
      expect((await patch(id, { [name]: value })).body.version, name).to.equal(++expected);
      expect((await patch(id, { [name]: value })).body.version, `${name} as it is`).to.equal(expected);
    }
    const others = {
      name: 'Other',
      description: 'd',
      webhook_url: 'http://127.0.0.1/',
      webhook_secret: 'x'.repeat(16),
    };
    expect((await patch(id, { ...others, webhook_events: ['session.failed'] })).body.version).to.equal(expected);
    expect(Object.keys(changes)).to.include.members(VERSIONED_SETTINGS);
  });

  it('have no titles of fields: other titles are no new version, and a restore keeps the titles of today', async () => {
    const fieldOf = (title?: string, rest = {}) => ({
      ...{ name: 'resolved', type: 'boolean', description: 'Was it solved?', evidence: true, ...rest },
      ...(title !== undefined && { title }),
    });
    const { id } = await created({ ...TEXT, fields: [fieldOf()] } as AssistantSettings);
    const before = (await present(id)).headers.get('etag');
    for (const title of ['Solved', 'Решено']) {
      const { body, headers } = await patch(id, { fields: [fieldOf(title)] });
      expect(body).to.deep.include({ version: 1, fields: [fieldOf(title)] });
      expect(headers.get('etag')).not.to.equal(before);
    }
    expect((await patch(id, { fields: [fieldOf('Solved', { evidence: false })] })).body.version).to.equal(2);
    await patch(id, { fields: [fieldOf('Problem solved', { evidence: false }), fieldOf('Gone', { name: 'gone' })] });
    expect((await restore(id, 1)).body).to.deep.include({ version: 4, fields: [fieldOf('Problem solved')] });
    expect((await restore(id, 3)).body.fields?.map(({ title }) => title)).to.deep.equal(['Problem solved', 'Gone']);
    await patch(id, { fields: [fieldOf(undefined)] });
    expect((await restore(id, 1)).body).to.deep.include({ version: 6, fields: [fieldOf()] });
  });

  it('contain every state of concurrent changes', async () => {
    const { id } = await created();
    const prompts = Array.from({ length: 8 }, (_, index) => `Prompt ${index}`);
    await Promise.all(prompts.map((system_prompt) => patch(id, { system_prompt })));
    const { data } = await list(id);
    expect(data.map(({ version }) => version)).to.deep.equal([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(data.map(({ settings }) => settings.system_prompt)).to.have.members([...prompts, TEXT.system_prompt]);
  });

  it('can be read individually and as pages', async () => {
    const { id } = await created();
    for (let index = 2; index <= 5; index++) await patch(id, { system_prompt: `Prompt ${index}` });
    const all = (await list(id)).data;
    for (const version of all) expect((await read(id, version.version)).body).to.deep.equal(version);
    const first = await list(id, { limit: 3 });
    const rest = await list(id, { limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.data, ...rest.data]).to.deep.equal(all);
    for (const missing of [0, 6, 999_999_999]) expect((await read(id, missing)).status).to.equal(404);
  });

  it('can be restored: that creates a new version, and keeps the other settings of the assistant', async () => {
    const { id } = await created(VOICE);
    const first = (await read(id, 1)).body.settings;
    await patch(id, { llm_provider: 'grok', stt_provider: 'aisha', temperature: 1, name: 'Other' });
    const { body } = await restore(id, 1);
    expect(body).to.deep.include({ ...first, version: 3, name: 'Other' });
    expect((await read(id, 3)).body).to.deep.include({ settings: first, restored_from: 1 });
    expect((await read(id, 2)).body).to.deep.include({ restored_from: null });
    expect((await restore(id, 1)).body.version, 'as it is').to.equal(3);
    expect((await restore(id, 9)).status).to.equal(404);
  });

  it('are restored with If-Match like other changes', async () => {
    const { id } = await created();
    const before = (await present(id)).headers.get('etag') ?? '';
    const { headers } = await patch(id, { system_prompt: 'Judge.' });
    expect((await restore(id, 1, { 'If-Match': before })).status).to.equal(412);
    expect((await present(id)).body.version).to.equal(2);
    const restored = await restore(id, 1, { 'If-Match': headers.get('etag') ?? '' });
    expect(restored.headers.get('etag')).to.equal((await present(id)).headers.get('etag'));
    expect(restored.body.version).to.equal(3);
  });

  it('are restored only if they are valid now', async () => {
    const strict = await stopAfterTest(startTestApi({ env: { ALLOWED_MODELS: 'openai/gpt-6-luna' } }));
    const { id } = await created({ ...TEXT, llm_model: 'gpt-4-retired' });
    await patch(id, { llm_model: 'gpt-6-luna' });
    const params = { id, version: '1' };
    expect((await send(strict, 'restoreAssistantVersion', { token, params })).paths).to.deep.equal(['llm_model']);
    expect((await present(id)).body.version).to.equal(2);
  });

  it('from before a setting was added get its default', async () => {
    const { id } = await created(VOICE);
    await patch(id, { system_prompt: 'Judge.' });
    const { stt_language: _, ...settings } = (await read(id, 1)).body.settings;
    await AssistantVersionModel.query()
      .findById([id, 1])
      .patch({ settings: settings as VersionedSettings });
    expect((await read(id, 1)).body.settings).to.deep.equal({ ...settings, stt_language: null });
    expect((await restore(id, 1)).body).to.deep.include({ ...settings, stt_language: 'Auto-Detect' });
  });

  it('are shown on sessions and reanalyses, unless a reanalysis overrides settings', async () => {
    const { id } = await created();
    await patch(id, { system_prompt: 'Judge.' });
    const conversation = [{ role: 'client', text: 'Hello' }];
    const request = { token, body: { assistant_id: id, conversation }, headers: ASYNC };
    const { session_id } = (await send(api, 'submitTextRequest', request)).body;
    await patch(id, { system_prompt: 'Judge again.' });
    const { body: session } = await send(api, 'getSession', { token, params: { id: session_id } });
    expect([session.assistant_version, session.assistant.system_prompt]).to.deep.equal([2, 'Judge.']);
    const versionOf = async (body: object) => {
      const options = { token, params: { id: session_id }, body, headers: ASYNC };
      return ((await send(api, 'reanalyzeSession', options)).body as Session).assistant_version;
    };
    expect(await versionOf({})).to.equal(3);
    expect(await versionOf({ temperature: 0.7 })).to.equal(3);
    expect(await versionOf({ temperature: 0.6 })).to.equal(null);
  });
});
