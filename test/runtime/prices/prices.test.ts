import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calcPrice } from '@pydantic/genai-prices';
import { createPriceOf } from '../../../runtime/prices/prices.ts';
import type { ProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDER_FACTS, LLM_PROVIDERS, PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import builtIn from '../../../runtime/prices/price-overrides.json' with { type: 'json' };
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { newFolder } from '../../support/new-folder.ts';

const priceOf = createPriceOf();
const TOKENS: CallUsage = { input_tokens: 10_000, output_tokens: 1_000 };
const HOUR = { audio_seconds: 3_600 };
const AUDIO_TOKENS = { ...HOUR, input_tokens: 1_200, input_audio_tokens: 1_000, output_tokens: 100 };

describe('The price of a call', () => {
  const cases: [ProviderName, string, CallUsage | null, number][] = [
    ['openai', 'gpt-6-luna', TOKENS, 0.0015],
    ['openai', 'gpt-6-luna', { ...TOKENS, cache_read_tokens: 4_000 }, 0.00114],
    ['openai', 'gpt-6.1-terra', TOKENS, 0.015],
    ['openai', 'gpt-6.1-sol', { ...TOKENS, cache_read_tokens: 10_000 }, 0.011],
    ['anthropic', 'claude-haiku-5-5', TOKENS, 0.0015],
    ['anthropic', 'claude-haiku-5-5', { ...TOKENS, cache_read_tokens: 1_000 }, 0.00141],
    ['anthropic', 'claude-opus-5-5', TOKENS, 0.06],
    ['anthropic', 'claude-sonnet-5-5', { ...TOKENS, cache_read_tokens: 10_000 }, 0.011],
    ['anthropic', 'claude-haiku-5-5', { input_tokens: 100_000, output_tokens: 1_000 }, 0.0105],
    ['anthropic', 'claude-haiku-5-5', { input_tokens: 150_000, output_tokens: 1_000 }, 0.0775],
    ['anthropic', 'claude-haiku-5-5', { input_tokens: 1_000, output_tokens: 0, cache_write_tokens: 800 }, 0.00012],
    ['openai', 'gpt-6-luna', { input_tokens: 1_000, output_tokens: 100, cache_write_tokens: 900 }, 0.0001725],
    ['openai', 'gpt-6.1-terra', { input_tokens: 300_000, output_tokens: 1_000 }, 0.6075],
    ['openai', 'gpt-6.1-sol', { input_tokens: 1_000, output_tokens: 0, cache_write_tokens: 1_000 }, 0.0025],
    ['grok', 'grok-4.7', { input_tokens: 200_000, output_tokens: 1_000 }, 0.812],
    ['gemini', 'gemini-3.8-flash', TOKENS, 0.01125],
    ['grok', 'grok-4.3', TOKENS, 0.015],
    ['grok', 'grok-4.7', TOKENS, 0.026],
    ['whisper', 'whisper-1', { audio_seconds: 60 }, 0.006],
    ['whisper', 'whisper-1', { audio_seconds: 1 }, 0.0001],
    ['whisper', 'whisper-1', AUDIO_TOKENS, 0.36],
    ['whisper', 'gpt-transcribe', HOUR, 0.27],
    ['whisper', 'gpt-transcribe', AUDIO_TOKENS, 0.27],
    // 200 × $2.50 + 1,000 × $6 + 100 × $10 a million
    ['whisper', 'gpt-4o-transcribe', AUDIO_TOKENS, 0.0075],
    ['whisper', 'gpt-4o-transcribe-diarize', AUDIO_TOKENS, 0.0075],
    ['whisper', 'gpt-4o-mini-transcribe', AUDIO_TOKENS, 0.00375],
    ['whisper', 'gpt-4o-transcribe', HOUR, 0.36],
    ['whisper', 'gpt-4o-transcribe-diarize', HOUR, 0.36],
    ['whisper', 'gpt-4o-mini-transcribe', HOUR, 0.18],
    ['whisper', 'gpt-4o-mini-transcribe-2025-12-15', HOUR, 0.18],
    ['whisper', 'gpt-4o-mini-transcribe-2025-12-15', AUDIO_TOKENS, 0.00375],
    ['gemini', 'models/gemini-3.8-flash', TOKENS, 0.01125],
    ['gemini', 'gemini-3-flash-preview', TOKENS, 0.008],
    ['elevenlabs', 'scribe_v2', HOUR, 0.22],
    ['elevenlabs', 'scribe_v2', { audio_seconds: 36 }, 0.0022],
    ['local', 'qwen3:8b', TOKENS, 0],
    ['local', 'large-v3', HOUR, 0],
    ['local', 'a server without counts', null, 0],
  ];
  for (const [provider, model, usage, usd] of cases) {
    it(`of ${model} for ${JSON.stringify(usage)} is $${usd}`, () => {
      expect(priceOf(provider, model, usage)).to.equal(usd);
    });
  }

  it('is that of the version that answered, if it has one of its own', () => {
    for (const [model, served, usd] of [
      ['gpt-4o', 'gpt-4o-2024-05-13', 0.065],
      ['gpt-4o', 'gpt-4o-2024-08-06', 0.035],
      ['gpt-4o-2024-08-06', 'gpt-4o-2024-05-13', 0.065],
      ['gpt-6.1-terra', 'gpt-6.1-terra-2026-10-01', 0.015],
    ] as const)
      expect(priceOf('openai', model, TOKENS, served), served).to.equal(usd);
  });

  it('is known for every default model', () => {
    for (const provider of LLM_PROVIDERS.filter((name) => name !== 'local')) {
      expect(priceOf(provider, LLM_PROVIDER_FACTS[provider].default_model, TOKENS), provider).to.be.greaterThan(0);
    }
  });

  const unknown: [string, ProviderName, string | null, CallUsage | null][] = [
    ['an unknown model', 'openai', 'a-model-of-tomorrow', TOKENS],
    ['a model named like a property of objects', 'openai', 'constructor', TOKENS],
    ["another provider's model", 'grok', 'gpt-6.1-terra', TOKENS],
    ['a provider without a price list', 'aisha', null, HOUR],
    ["a model on the user's own server", 'whisper', 'Systran/faster-whisper-small', HOUR],
    ['an unknown speech model', 'elevenlabs', 'scribe_v9', HOUR],
    ['a transcription without usage', 'elevenlabs', 'scribe_v2', null],
    ['usage that was not reported', 'openai', 'gpt-6-luna', null],
    ['usage that counts nothing', 'openai', 'gpt-6-luna', {}],
    ['half a usage', 'openai', 'gpt-6.1-terra', { input_tokens: 5 }],
    ['tokens of a model that is priced by the minute', 'whisper', 'whisper-1', TOKENS],
    ['seconds of a model that is priced by the token', 'anthropic', 'claude-haiku-5-5', { audio_seconds: 60 }],
    ['more tokens from the cache than there were', 'openai', 'gpt-6-luna', { ...TOKENS, cache_read_tokens: 10_001 }],
    ['the same where the overrides price it', 'openai', 'gpt-6.1-sol', { ...TOKENS, cache_read_tokens: 10_001 }],
    ['more cached tokens than there were', 'openai', 'gpt-6.1-sol', { ...TOKENS, cache_write_tokens: 10_001 }],
  ];
  for (const [title, provider, model, usage] of unknown) {
    it(`of ${title} is null, never 0`, () => {
      expect(priceOf(provider, model, usage)).to.equal(null);
    });
  }

  describe('in the built-in overrides', () => {
    const tokenPrices = builtIn.prices.filter((entry) => 'input_mtok' in entry);

    it('has a date, and a source for each model', () => {
      expect(builtIn.date).to.match(/^20\d\d-\d\d-\d\d$/);
      for (const { model, source } of builtIn.prices) expect(source, model).to.match(/^https:\/\//);
    });

    for (const { provider, model } of tokenPrices) {
      it(`of ${model} is missing in the price library`, () => {
        const providerId = PROVIDER_FACTS[provider as ProviderName].price_library_name;
        const found = providerId === undefined ? null : calcPrice({ input_tokens: 1 }, model, { providerId });
        // The library confuses some models with models of similar names.
        expect(found?.model.id, 'remove the override: the library knows this model').not.to.equal(model);
      });
    }

    it('is a price per hour only if the library has none', () => {
      for (const entry of builtIn.prices.filter((each) => 'audio_hour' in each)) {
        const providerId = PROVIDER_FACTS[entry.provider as ProviderName].price_library_name;
        const found =
          providerId === undefined ? null : calcPrice({ audio_seconds: 3_600 }, entry.model, { providerId });
        expect(found?.total_price ?? 0, entry.model).to.equal(0);
      }
    });
  });

  it('has no floating-point errors', () => {
    const usd = priceOf('openai', 'gpt-6-luna', { input_tokens: 32, output_tokens: 7 });
    expect(String(usd)).to.match(/^[\d.e-]{1,12}$/);
  });

  describe('from a file of the operator', () => {
    const directory = newFolder();
    const fileOf = (content: unknown): string => {
      const path = join(directory, `${Math.random()}.json`);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    };

    it('takes precedence over the library and replaces the built-in overrides', () => {
      const own = { provider: 'openai', model: 'gpt-6-luna', input_mtok: 1, cache_read_mtok: 0, output_mtok: 10 };
      const price = createPriceOf(fileOf({ prices: [own] }));
      expect(price('openai', 'gpt-6-luna', TOKENS)).to.equal(0.02);
      expect(price('openai', 'gpt-6.1-terra', TOKENS)).to.equal(null);
      expect(price('grok', 'grok-4.3', TOKENS)).to.equal(0.015);
    });

    it('charges cache writes like other input if they have no price, and allows the price 0', () => {
      const own = { provider: 'openai', model: 'mine', input_mtok: 1, cache_read_mtok: 0, output_mtok: 0 };
      const free = { ...own, model: 'free', input_mtok: 0 };
      const price = createPriceOf(fileOf({ prices: [own, free] }));
      expect(price('openai', 'mine', { ...TOKENS, cache_write_tokens: 5_000 })).to.equal(0.01);
      expect(price('openai', 'free', TOKENS)).to.equal(0);
    });

    it('prevents the start if it is invalid', () => {
      const negative = { provider: 'openai', model: 'm', input_mtok: -1, cache_read_mtok: 0, output_mtok: 0 };
      for (const content of ['not json', {}, { prices: [negative] }, { prices: [{ provider: 'openai' }] }]) {
        expect(() => createPriceOf(fileOf(content))).to.throw();
      }
      expect(() => createPriceOf(join(directory, 'missing.json'))).to.throw();
    });
  });
});
