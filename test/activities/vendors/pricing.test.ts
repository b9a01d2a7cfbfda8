import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createPriceOf } from '../../../activities/vendors/pricing.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { ProviderName } from '../../../contract/constants.ts';
import { LLM_PROVIDER_FACTS } from '../../../contract/providers.ts';
import type { CallUsage } from '../../../db/models/vendor-call.ts';

const priceOf = createPriceOf();
const TOKENS: CallUsage = { input_tokens: 10_000, output_tokens: 1_000 };

describe('The price of a call', () => {
  const cases: [ProviderName, string, CallUsage, number][] = [
    ['openai', 'gpt-6-luna', TOKENS, 0.0015],
    ['openai', 'gpt-6-luna', { ...TOKENS, cache_read_tokens: 4_000 }, 0.00114],
    ['openai', 'gpt-6.1-terra', TOKENS, 0.015],
    ['openai', 'gpt-6.1-sol', { ...TOKENS, cache_read_tokens: 10_000 }, 0.011],
    ['anthropic', 'claude-haiku-5-5', TOKENS, 0.0015],
    ['anthropic', 'claude-haiku-5-5', { ...TOKENS, cache_read_tokens: 1_000 }, 0.00141],
    ['anthropic', 'claude-opus-5-5', TOKENS, 0.06],
    ['anthropic', 'claude-sonnet-5-5', { ...TOKENS, cache_read_tokens: 10_000 }, 0.011],
    ['gemini', 'gemini-3.8-flash', TOKENS, 0.01125],
    ['grok', 'grok-4.3', TOKENS, 0.015],
    ['grok', 'grok-4.7', TOKENS, 0.026],
    ['whisper', 'whisper-1', { audio_seconds: 60 }, 0.006],
    ['elevenlabs', 'scribe_v2', { audio_seconds: 1_800 }, 0.11],
  ];
  for (const [provider, model, usage, usd] of cases) {
    it(`of ${model} for ${JSON.stringify(usage)} is $${usd}`, () => {
      expect(priceOf(provider, model, usage)).to.equal(usd);
    });
  }

  it('is known for every default model', () => {
    for (const provider of LLM_PROVIDERS) {
      expect(priceOf(provider, LLM_PROVIDER_FACTS[provider].default_model, TOKENS), provider).to.be.greaterThan(0);
    }
  });

  const unknown: [string, ProviderName, string | null, CallUsage | null][] = [
    ['an unknown model', 'openai', 'a-model-of-tomorrow', TOKENS],
    ['a model named like a property of objects', 'openai', 'constructor', TOKENS],
    ["another vendor's model", 'grok', 'gpt-6.1-terra', TOKENS],
    ['a vendor without a price list', 'aisha', null, { audio_seconds: 60 }],
    ['usage that was not reported', 'openai', 'gpt-6-luna', null],
    ['usage that counts nothing', 'openai', 'gpt-6-luna', {}],
    ['half a usage', 'openai', 'gpt-6.1-terra', { input_tokens: 5 }],
    ['tokens of a model that is priced by the minute', 'whisper', 'whisper-1', TOKENS],
    ['seconds of a model that is priced by the token', 'anthropic', 'claude-haiku-5-5', { audio_seconds: 60 }],
    ['more tokens from the cache than there were', 'openai', 'gpt-6-luna', { ...TOKENS, cache_read_tokens: 10_001 }],
    ['the same where the overrides price it', 'openai', 'gpt-6.1-sol', { ...TOKENS, cache_read_tokens: 10_001 }],
  ];
  for (const [title, provider, model, usage] of unknown) {
    it(`of ${title} is null, never 0`, () => {
      expect(priceOf(provider, model, usage)).to.equal(null);
    });
  }

  it('comes without the noise of binary fractions', () => {
    const usd = priceOf('openai', 'gpt-6-luna', { input_tokens: 32, output_tokens: 7 });
    expect(String(usd)).to.match(/^[\d.e-]{1,12}$/);
  });

  describe('from a file of the operator', () => {
    const directory = mkdtempSync(join(tmpdir(), 'cas-prices-'));
    after(() => rmSync(directory, { recursive: true }));
    const fileOf = (content: unknown): string => {
      const path = join(directory, `${Math.random()}.json`);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    };

    it('goes before the library and replaces the built-in overrides', () => {
      const own = { provider: 'openai', model: 'gpt-6-luna', input_mtok: 1, cache_read_mtok: 0, output_mtok: 10 };
      const price = createPriceOf(fileOf({ prices: [own] }));
      expect(price('openai', 'gpt-6-luna', TOKENS)).to.equal(0.02);
      expect(price('openai', 'gpt-6.1-terra', TOKENS)).to.equal(null);
      expect(price('grok', 'grok-4.3', TOKENS)).to.equal(0.015);
    });

    it('stops the start when it can not be used', () => {
      const negative = { provider: 'openai', model: 'm', input_mtok: -1, cache_read_mtok: 0, output_mtok: 0 };
      for (const content of ['not json', {}, { prices: [negative] }, { prices: [{ provider: 'openai' }] }]) {
        expect(() => createPriceOf(fileOf(content))).to.throw();
      }
      expect(() => createPriceOf(join(directory, 'missing.json'))).to.throw();
    });
  });
});
