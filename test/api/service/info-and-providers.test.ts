import { getInfo, listProviders } from '../../../contract/service/service.ts';
import { WorkerModel } from '../../../db/models/worker.ts';
import type { Environment } from '../../../runtime/settings/environment.ts';
import { send } from '../../support/api.ts';
import { createOwner, createSession, createUser } from '../../support/factories.ts';
import { useTestApi } from '../../support/set-up.ts';

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
  MAX_STORED_AUDIO_MIB_PER_WORKSPACE: '7',
};

describe('GET /v1/info and GET /v1/providers', () => {
  const api = useTestApi({ env: ENV });
  const plain = useTestApi();
  let token: string;
  before(async () => {
    token = (await createUser()).token;
  });

  const providers = async (of = api) =>
    new Map((await send(of, 'listProviders', { token })).body.data.map((each) => [each.provider, each]));

  it('lists every provider, and whether it is configured or simulated', async () => {
    const found = await providers();
    expect([...found.keys()]).to.have.members([
      'elevenlabs',
      'whisper',
      'aisha',
      'openai',
      'anthropic',
      'gemini',
      'grok',
      'local',
    ]);
    expect(found.get('gemini')).to.include({ configured: false, simulated: false });
    expect(found.get('openai')).to.include({ configured: true, simulated: true, step: 'analysis' });
    expect(found.get('whisper')).to.include({ configured: true, simulated: false, step: 'transcription' });
  });

  it('lists the allowed models, the default first, with prices and limits', async () => {
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
    expect(found.get('elevenlabs')?.languages).to.equal(null);
    expect(found.get('aisha')?.languages).to.deep.equal(['uz', 'ru', 'en']);
    const all = await providers(plain);
    expect(all.get('aisha')?.models[0]?.media_types).to.include('audio/mpeg').and.not.include('audio/flac');
    const elevenlabs = all.get('elevenlabs');
    expect(elevenlabs?.models[0]).to.deep.equal({
      model: 'scribe_v2',
      prices: { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd: 0.22 },
      takes_temperature: null,
      retires_on: null,
      max_bytes: 5_000_000_000,
      max_duration_s: 36_000,
      media_types: null,
    });
  });

  it("counts the workspace's queued sessions", async () => {
    const [{ assistant, token: own }, neighbor] = [await createOwner(), await createUser()];
    const queuedAt = new Date('2026-01-02T03:04:05.678Z');
    await createSession(assistant, { status: 'queued', queued_at: queuedAt });
    await createSession(assistant, { status: 'queued', queued_at: new Date() });
    await createSession(assistant, { status: 'analyzing', queued_at: new Date(0) });
    const queueOf = async (of: string) => (await send(plain, 'getInfo', { token: of })).body.queue;
    expect(await queueOf(own)).to.deep.equal({ waiting: 2, oldest_queued_at: queuedAt.toISOString() });
    expect(await queueOf(neighbor.token)).to.deep.equal({ waiting: 0, oldest_queued_at: null });
  });

  it('returns the version, the limits and the URL of workflows', async () => {
    const { body } = await send(api, 'getInfo', { token });
    expect(body.version).to.match(/^\d+\.\d+\.\d+/);
    expect(body).to.deep.include({ commit: 'abc123', registration: 'first', audio_retention_days: 9 });
    expect(body.limits).to.include({ audio_bytes: 3 * 1024 * 1024, wait_s: 60, requests_per_minute: null });
    expect(body.temporal_run_url).to.match(
      /^http:\/\/127\.0\.0\.1:8233\/namespaces\/[^/]+\/workflows\/\{workflow_id\}$/,
    );
    expect(body.limits.stored_audio_bytes).to.equal(7 * 1024 * 1024);
    expect(body.session_retention_days).to.equal(90);
    const { body: other } = await send(plain, 'getInfo', { token });
    expect(other.session_retention_days).to.equal(null);
    expect(other).to.include({ commit: null, temporal_run_url: null, registration: 'open' });
  });

  it('counts the running workers, or returns when the last one was seen', async () => {
    const infoOf = async () => (await send(plain, 'getInfo', { token })).body.workers;
    await WorkerModel.query().delete();
    expect(await infoOf()).to.deep.equal({ running: 0, last_seen_at: null });
    const seenAt = new Date(Date.now() - 60_000);
    await WorkerModel.query().insert({ id: 'frozen', host: 'one', build_id: null, seen_at: seenAt });
    expect(await infoOf()).to.deep.equal({ running: 0, last_seen_at: seenAt.toISOString() });
    await WorkerModel.report({ id: 'alive', host: 'two', build_id: null, circuits: [] });
    expect((await infoOf()).running).to.equal(1);
    await WorkerModel.query().delete();
  });

  it('returns no keys and URLs of providers', async () => {
    for (const endpoint of [listProviders, getInfo]) {
      const { body } = await send(api, endpoint, { token });
      expect(JSON.stringify(body)).not.to.match(/sk-very-secret|inner|postgres|thirty-two/);
    }
  });
});
