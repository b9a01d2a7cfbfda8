import { expect } from 'chai';
import type { RunningApi } from '../../api/start.ts';
import { getInfo, listProviders } from '../../contract/service.ts';
import type { Environment } from '../../runtime/environment.ts';
import { send, startTestApi } from '../support/api.ts';
import { createAssistant, createSession, createUser } from '../support/factories.ts';

const ENV: Environment = {
  ALLOWED_MODELS: 'openai/gpt-6-luna,openai/my-own,anthropic/*,whisper/whisper-1',
  GEMINI_API_KEY: '',
  SIMULATED_PROVIDERS: 'openai',
  OPENAI_API_KEY: 'sk-very-secret',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/inner',
  TEMPORAL_UI_URL: 'http://127.0.0.1:8233/',
  GIT_COMMIT: 'abc123',
  REGISTRATION: 'first',
  MAX_AUDIO_MIB: '3',
  AUDIO_RETENTION_DAYS: '9',
  SESSION_RETENTION_DAYS: '90',
  MAX_STORED_AUDIO_MIB_PER_USER: '7',
  REQUEST_WAIT_S: '20',
};

describe('What the service says of itself', () => {
  let api: RunningApi;
  let plain: RunningApi;
  let token: string;
  before(async function () {
    this.timeout(0);
    [api, plain] = await Promise.all([startTestApi({ env: ENV }), startTestApi()]);
    token = (await createUser()).token;
  });
  after(() => Promise.all([api.stop(), plain.stop()]));

  const providers = async (of = api) =>
    new Map((await send(of, listProviders, { token })).body.data.map((each) => [each.provider, each]));

  it('lists every provider, and which of them it has a key for or a stand-in', async () => {
    const found = await providers();
    expect([...found.keys()]).to.have.members([
      ...['elevenlabs', 'whisper', 'aisha', 'openai', 'anthropic', 'gemini', 'grok'],
    ]);
    expect(found.get('gemini')).to.include({ configured: false, simulated: false });
    expect(found.get('openai')).to.include({ configured: true, simulated: true, step: 'analysis' });
    expect(found.get('whisper')).to.include({ configured: true, simulated: false, step: 'transcription' });
  });

  it('lists the models that are allowed, the default first, with what is known of each', async () => {
    const found = await providers();
    const { models, ...openai } = found.get('openai')!;
    expect(openai).to.include({ any_model: false, default_model: 'gpt-6-luna' });
    expect(models.map(({ model }) => model)).to.deep.equal(['gpt-6-luna', 'my-own']);
    expect(models[1]).to.deep.include({ prices: null, takes_temperature: true });
    expect(found.get('anthropic')).to.include({ any_model: true });
    expect(found.get('anthropic')?.models[0]).to.deep.include({
      model: 'claude-haiku-5-5',
      prices: { input_mtok_usd: 0.1, output_mtok_usd: 0.5, audio_hour_usd: null },
      takes_temperature: false,
    });
    expect(found.get('grok')).to.deep.include({ any_model: false, models: [] });
    expect(found.get('elevenlabs')?.models).to.deep.equal([]);
    const elevenlabs = (await providers(plain)).get('elevenlabs');
    expect(elevenlabs?.models[0]).to.deep.equal({
      model: 'scribe_v2',
      prices: { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd: 0.22 },
      takes_temperature: null,
      max_bytes: 5_000_000_000,
      max_duration_s: 36_000,
    });
  });

  it("tells how many of the caller's own sessions wait, and since when", async () => {
    const [user, neighbour] = await Promise.all([createUser(), createUser()]);
    const assistant = await createAssistant(user.user.id);
    const queuedAt = new Date('2026-01-02T03:04:05.678Z');
    await createSession(assistant, { status: 'queued', queued_at: queuedAt });
    await createSession(assistant, { status: 'queued', queued_at: new Date() });
    await createSession(assistant, { status: 'analyzing', queued_at: new Date(0) });
    const queueOf = async (of: { token: string }) => (await send(plain, getInfo, { token: of.token })).body.queue;
    expect(await queueOf(user)).to.deep.equal({ waiting: 2, oldest_queued_at: queuedAt.toISOString() });
    expect(await queueOf(neighbour)).to.deep.equal({ waiting: 0, oldest_queued_at: null });
  });

  it('tells version, limits and where runs are looked at', async () => {
    const { body } = await send(api, getInfo, { token });
    expect(body.version).to.match(/^\d+\.\d+\.\d+/);
    expect(body).to.deep.include({ commit: 'abc123', registration: 'first', audio_retention_days: 9 });
    expect(body.limits).to.include({ audio_bytes: 3 * 1024 * 1024, wait_s: 20, requests_per_minute: null });
    expect(body.temporal_run_url).to.match(
      /^http:\/\/127\.0\.0\.1:8233\/namespaces\/[^/]+\/workflows\/\{workflow_id\}$/,
    );
    expect(body.limits.stored_audio_bytes).to.equal(7 * 1024 * 1024);
    expect(body.session_retention_days).to.equal(90);
    const { body: other } = await send(plain, getInfo, { token });
    expect(other.session_retention_days).to.equal(null);
    expect(other).to.include({ commit: null, temporal_run_url: null, registration: 'open' });
  });

  it('tells no key and no address of a vendor', async () => {
    for (const endpoint of [listProviders, getInfo]) {
      const { body } = await send(api, endpoint, { token });
      expect(JSON.stringify(body)).not.to.match(/sk-very-secret|inner|postgres|thirty-two/);
    }
  });
});
