/** The cost of what served a call: its own charge, else the tier, the place and the model that answered, else unknown. */
import { createLlmProviders } from '../../../activities/providers/llm/index.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { createPriceOf } from '../../../runtime/prices/prices.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { errorOf } from '../../support/error-of.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerJson, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const TEXT = JSON.stringify(ANALYSIS);
const listed = createPriceOf();
const OPENAI = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const ANTHROPIC = { input_tokens: 1_000, output_tokens: 100 };
const GEMINI = { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 };
const COUNTS = { input_tokens: 1_000, output_tokens: 100 };
const price = (name: LlmProviderName, model = PROVIDERS[name].model, usage: CallUsage = COUNTS) =>
  listed(name, model, usage)!;
const half = (value: number) => value / 2;

/** Provider, members of its usage and of its response, headers, and the cost; null: unknown. */
const ROWS: [LlmProviderName, object, object, Record<string, string>, number | null][] = [
  ['openai', { cost: 0.0123 }, {}, {}, 0.0123],
  ['openai', { cost: '0.0123' }, {}, {}, 0.0123],
  ['openai', { estimated_cost: 0.002 }, {}, {}, 0.002],
  ['openai', { cost: 0.01 }, { error: { code: 502, message: 'Provider disconnected' } }, {}, 0.01],
  ['openai', { cost: { total_cost: 0.5 } }, {}, {}, 0.5],
  ['openai', { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.01 } }, {}, {}, 0.011],
  ['openai', {}, {}, { 'x-litellm-response-cost': '0.25' }, 0.25],
  ['openai', {}, {}, { 'x-litellm-response-cost': '0.0' }, price('openai')],
  ['openai', { cost: -1 }, {}, {}, price('openai')],
  ['openai', { cost: 'much' }, {}, {}, price('openai')],
  ['openai', {}, { service_tier: 'default' }, {}, price('openai')],
  ['openai', {}, { service_tier: 'flex' }, {}, half(price('openai'))],
  ['openai', {}, { service_tier: 'priority' }, {}, null],
  ['openai', {}, { model: 'gpt-6-luna-2026-08-01' }, {}, price('openai')],
  ['openai', {}, { model: 'gpt-4o' }, {}, price('openai', 'gpt-4o')],
  ['openai', {}, { model: 'a-model-of-tomorrow' }, {}, null],
  [
    'openai',
    { total_tokens: 5_000 },
    {},
    {},
    price('openai', undefined, { input_tokens: 1_000, output_tokens: 4_000 }),
  ],
  ['openai', { prompt_tokens_details: 'odd', completion_tokens_details: null }, {}, {}, price('openai')],
  ['grok', { cost: 0.02 }, {}, {}, 0.02],
  ['local', {}, { service_tier: 'priority', model: '/models/any.gguf' }, {}, 0],
  ['local', { cost: 0.03 }, {}, {}, 0.03],
  ['anthropic', { service_tier: 'standard', inference_geo: 'global' }, {}, {}, price('anthropic')],
  ['anthropic', { inference_geo: 'us' }, {}, {}, price('anthropic') * 1.1],
  ['anthropic', { inference_geo: 'mars' }, {}, {}, null],
  ['anthropic', { service_tier: 'priority' }, {}, {}, null],
  ['anthropic', { speed: 'fast' }, {}, {}, null],
  ['anthropic', {}, { model: 'claude-haiku-5-5-20260901' }, {}, price('anthropic')],
  [
    'gemini',
    { totalTokenCount: 3_000 },
    {},
    {},
    price('gemini', undefined, { input_tokens: 1_000, output_tokens: 2_000 }),
  ],
  ['gemini', { trafficType: 'ON_DEMAND' }, { modelVersion: PROVIDERS.gemini.model }, {}, price('gemini')],
  ['gemini', { trafficType: 'PROVISIONED_THROUGHPUT' }, {}, {}, null],
  ['gemini', {}, {}, { 'x-gemini-service-tier': 'flex' }, half(price('gemini'))],
  ['gemini', {}, { modelVersion: 'gemini-2.5-flash' }, {}, price('gemini', 'gemini-2.5-flash')],
];

const responseOf = (name: LlmProviderName, text: string, usage: object, members: object) => {
  const base = name === 'anthropic' ? ANTHROPIC : name === 'gemini' ? GEMINI : OPENAI;
  return { ...(PROVIDERS[name].answer({ text, usage: { ...base, ...usage } }) as object), ...members };
};

describe('The cost of a call', () => {
  const server = useFakeServer();

  for (const [name, usage, members, headers, expected] of ROWS) {
    it(`of ${name} with ${JSON.stringify({ ...usage, ...members, ...headers })} is ${expected}`, async () => {
      const fake = { ...server, providers: providersFor(name, server.url, 20_000) };
      // The second answer has no text, and is paid, too.
      for (const text of [TEXT, '']) {
        server.behave(answerJson(200, responseOf(name, text, usage, members), headers));
        const session = await newSession(name);
        const asked = ask(fake, session, { priceOf: listed });
        if (text === '' || 'error' in members) await errorOf(asked);
        else await asked;
        for (const { cost_usd } of await ledgerOf(session)) {
          if (expected === null) expect(cost_usd).to.equal(null);
          else expect(cost_usd).to.be.closeTo(expected, 1e-9);
        }
      }
    });
  }

  it('at an address of OpenAI in one region is 10 % higher', async () => {
    const analysis = Object.fromEntries(
      (['openai', 'anthropic', 'gemini', 'grok', 'local'] as const).map((name) => [
        name,
        {
          apiKey: 'k',
          baseUrl: name === 'openai' ? 'https://eu.api.openai.com/v1' : undefined,
          isSimulated: false,
          defaultModel: null,
          models: [],
        },
      ]),
    ) as unknown as Parameters<typeof createLlmProviders>[0]['providers']['analysis'];
    const { openai } = createLlmProviders({ providers: { analysis }, calls: { timeoutMs: 1_000 } });
    const { servedBy } = (await openai()).readAnswer(responseOf('openai', TEXT, {}, { model: 'gpt-6-luna' }));
    expect(servedBy?.factor).to.equal(1.1);
  });

  it('of a transcription is what a gateway charges', async () => {
    server.behave(answerJson(200, { text: 'Hello', usage: { type: 'duration', seconds: 10, cost: 0.004 } }));
    expect(
      (await sttProvider('whisper', { baseUrl: server.url }).transcribe(sttRequest(), memoryJob())).costUsd,
    ).to.equal(0.004);
  });
});
