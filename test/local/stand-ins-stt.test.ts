import { createSttProviders } from '../../activities/providers/stt/index.ts';
import type { SttAnswer, SttRequest } from '../../activities/providers/stt/provider.ts';
import type { ProviderName, SttProviderName } from '../../contract/values/constants.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { findKeyless, standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns, type RecordedCall, type RunningStandIns } from '../../local/stand-ins/server.ts';
import { providerFailure } from '../activities/providers/fake-provider.ts';
import { AUDIO, memoryJob, sttRequest } from '../activities/providers/stt-call.ts';
import { testConfig } from '../support/api.ts';

describe('The stand-ins for speech-to-text', () => {
  let standIns: RunningStandIns;
  beforeEach(async () => {
    standIns = await startStandIns();
  });
  afterEach(() => standIns.stop());

  const ask = (name: SttProviderName, fields: Partial<SttRequest> = {}): Promise<SttAnswer> => {
    const config = testConfig(standInEnvironment(PROVIDERS, standIns.url));
    return createSttProviders({ ...config, pollMs: 5 })
      [name]()
      .then((stt) => stt.transcribe(sttRequest(fields), memoryJob()));
  };

  const calls = async () => (await (await fetch(`${standIns.url}/_calls`)).json()) as RecordedCall[];

  it('elevenlabs returns one speaker per channel, and as many channels as a directive requests', async () => {
    const channelRoles = ['operator', 'client'];
    const { turns, usage } = await ask('elevenlabs', { channelRoles });
    expect(turns.map(({ role }) => role)).to.deep.equal(turns.map((_, index) => channelRoles[index % 2]));
    expect(turns).to.have.length(7);
    expect(usage).to.deep.equal({ audio_seconds: 63 });
    const fileName = 'call [provider channels=3].wav';
    expect((await providerFailure(ask('elevenlabs', { channelRoles, fileName }), 'elevenlabs')).fault).to.equal(
      'bad_input',
    );
  });

  it('list the requests that they received', async () => {
    await ask('elevenlabs', { language: 'ru' });
    await ask('aisha', { durationS: 300 });
    const [first, ...others] = await calls();
    const { at, ...call } = first!;
    expect(call).to.deep.equal({
      provider: 'elevenlabs',
      path: '/elevenlabs/v1/speech-to-text',
      file_bytes: AUDIO.length,
      fields: { model_id: 'scribe_v2', diarize: 'true', tag_audio_events: 'false', language_code: 'ru' },
    });
    expect(new Date(at).toISOString()).to.equal(at);
    expect(others.map(({ path, file_bytes }) => [path.replace(/\d{5,}/, 'N'), file_bytes])).to.deep.equal([
      ['/aisha/api/v2/stt/post/', AUDIO.length],
      ['/aisha/api/v2/stt/get/N/', null],
    ]);
  });
});

describe('The providers that stand-ins replace', () => {
  it('are those without a key and a base URL; whisper can use the key of OpenAI', () => {
    const without = (...names: ProviderName[]) => PROVIDERS.filter((name) => ![...names, 'local'].includes(name));
    expect(findKeyless({})).to.deep.equal(without());
    expect(findKeyless({ OPENAI_API_KEY: 'k' })).to.deep.equal(without('openai', 'whisper'));
    expect(findKeyless({ OPENAI_BASE_URL: 'http://x' })).to.deep.equal(without('openai'));
    expect(findKeyless({ WHISPER_API_KEY: 'k' })).to.deep.equal(without('whisper'));
    expect(findKeyless({ WHISPER_BASE_URL: 'http://x' })).to.deep.equal(without('whisper'));
    expect(findKeyless({ ELEVENLABS_API_KEY: 'k', AISHA_API_KEY: '' })).to.deep.equal(without('elevenlabs'));
  });

  it('are set in the configuration, each with a key and a base URL', () => {
    const { transcription: providers } = testConfig(
      standInEnvironment(['whisper', 'aisha', 'local'], 'http://127.0.0.1:4010'),
    ).providers;
    expect(providers.whisper).to.deep.include({
      apiKey: 'stand-in',
      baseUrl: 'http://127.0.0.1:4010/whisper/v1',
      isSimulated: true,
    });
    expect(providers.aisha.isSimulated).to.equal(true);
    expect(providers.elevenlabs.isSimulated).to.equal(false);
    expect(providers.local).to.include({ apiKey: undefined, isSimulated: false });
  });
});
