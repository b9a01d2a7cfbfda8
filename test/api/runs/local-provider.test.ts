import { ANALYSIS, answerJson, answerWell } from '../../activities/providers/fake-provider.ts';
import { send } from '../../support/api.ts';
import { createUser, says } from '../../support/factories.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startTestService } from '../../support/service.ts';
import { useTestApi } from '../../support/set-up.ts';
import { useStarted } from '../../support/use-started.ts';
import { submitVoice } from '../../support/voice.ts';

const LOCAL = { name: 'Own models', llm_provider: 'local', system_prompt: 'Summarize.' } as const;
const WITHOUT_PRICE = { input_mtok_usd: null, output_mtok_usd: null, audio_hour_usd: null };

describe('The provider local', () => {
  /** Speaks OpenAI's protocol for both steps. */
  const server = useStarted(() =>
    startReceiver((response, request) => {
      const answer = request.path.endsWith('/transcriptions')
        ? answerJson(200, { text: 'My parcel is late.' })
        : answerWell('local', { text: JSON.stringify(ANALYSIS) });
      answer(response, request);
    }),
  );
  const service = useStarted(() =>
    startTestService({
      env: {
        LOCAL_LLM_BASE_URL: `${server.url}/v1`,
        LOCAL_LLM_MODELS: 'qwen3:8b,gemma3',
        LOCAL_STT_BASE_URL: `${server.url}/v1`,
      },
    }),
  );
  const plain = useTestApi();
  let token: string;
  beforeEach(async () => {
    server.requests.length = 0;
    ({ token } = await createUser());
  });

  const create = (fields: object, api = service.api) =>
    send(api, 'createAssistant', { token, body: { ...LOCAL, type: 'text', ...fields } });
  const submit = (assistant_id: string) =>
    send(service.api, 'submitTextRequest', { token, body: { assistant_id, conversation: says('My parcel is late.') } });

  it('analyzes and transcribes at a known cost of 0, even after the budget is used up', async () => {
    await send(service.api, 'updateCurrentUser', { token, body: { monthly_budget_usd: 0 } });
    const { body: assistant } = await create({ type: 'voice', stt_provider: 'local', stt_model: 'large-v3' });
    expect(assistant).to.include({ llm_model: 'qwen3:8b' });
    const { session_id } = await submitVoice(service.api, { token, assistantId: assistant.id });
    const { body } = await send(service.api, 'getSession', { token, params: { id: session_id } });
    expect(body).to.deep.include({ status: 'completed', simulated: false, total_cost: 0, cost_known: true });
    expect(body.cost_breakdown.map(({ step, provider, model }) => [step, provider, model])).to.deep.equal([
      ['transcription', 'local', 'large-v3'],
      ['analysis', 'local', 'qwen3:8b'],
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer none', 'Bearer none']);
  });

  it('replaces a provider that is down, and can be replaced by one', async () => {
    const fallback = { llm_provider: 'local', llm_model: 'gemma3' };
    const { body: away } = await create({ llm_provider: 'openai', system_prompt: '[provider status=503]', fallback });
    const { body } = await submit(away.id);
    expect(body.answered_by).to.deep.equal([
      { step: 'analysis', provider: 'local', model: 'gemma3', reason: 'unavailable' },
    ]);
    expect((await create({ fallback: { llm_provider: 'openai' } })).status).to.equal(201);
    const both = { type: 'voice', stt_provider: 'whisper', fallback: { stt_provider: 'local', stt_model: 'm' } };
    expect((await create(both)).status).to.equal(201);
    expect((await create({ fallback })).paths).to.deep.equal(['fallback.llm_provider']);
  });

  it('requires a URL, a model if there is no default, and a listed model if there is a list', async () => {
    for (const [fields, path] of [
      [{ llm_model: 'other' }, 'llm_model'],
      [{ type: 'voice', stt_provider: 'local' }, 'stt_model'],
      [{ llm_provider: 'openai', type: 'voice', fallback: { stt_provider: 'local' } }, 'fallback.stt_model'],
    ] as const) {
      expect((await create(fields)).paths, path).to.deep.equal([path]);
    }
    expect((await create({ llm_model: 'm' }, plain)).paths).to.deep.equal(['llm_provider']);
    const { body } = await create({ llm_provider: 'openai' });
    const patch = { token, params: { id: body.id }, body: { llm_provider: 'local' } };
    expect((await send(service.api, 'updateAssistant', patch)).body).to.include({ llm_model: 'qwen3:8b' });
  });

  it('is listed with its models and the price 0', async () => {
    const listOf = async (api: typeof plain) =>
      (await send(api, 'listProviders', { token })).body.data.filter(({ provider }) => provider === 'local');
    const [transcription, analysis] = await listOf(service.api);
    expect(transcription).to.deep.include({ step: 'transcription', configured: true, default_model: null, models: [] });
    expect(transcription).to.include({ any_model: true, simulated: false });
    expect(analysis).to.include({ step: 'analysis', default_model: 'qwen3:8b', any_model: false });
    const prices = { ...WITHOUT_PRICE, input_mtok_usd: 0, output_mtok_usd: 0 };
    expect(analysis?.models.map(({ model, prices }) => ({ model, prices }))).to.deep.equal(
      ['qwen3:8b', 'gemma3'].map((model) => ({ model, prices })),
    );
    expect((await listOf(plain)).map(({ configured }) => configured)).to.deep.equal([false, false]);
  });
});
