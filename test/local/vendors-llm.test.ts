import { expect } from 'chai';
import { ANSWER_SCHEMA } from '../../activities/vendors/llm/answer-schema.ts';
import { createLlmProviders } from '../../activities/vendors/llm/index.ts';
import type { LlmProviders } from '../../activities/vendors/llm/index.ts';
import { VendorError } from '../../activities/vendors/vendor-error.ts';
import { LLM_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName } from '../../contract/constants.ts';
import { LLM_PROVIDER_FACTS } from '../../contract/providers.ts';
import { findKeyless, standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { RunningVendors } from '../../local/vendors/server.ts';
import { testConfig } from '../support/api.ts';

const CONVERSATION = '=== x\noperator: Good morning, how can I help?\nclient: My parcel has not arrived.\n=== x';

describe('the stand-ins for the language models', () => {
  let vendors: RunningVendors;
  let providers: LlmProviders;
  before(async () => {
    vendors = await startVendors();
    providers = createLlmProviders(testConfig(standInEnvironment(LLM_PROVIDERS, vendors.url)));
  });
  after(() => vendors.stop());

  const ask = (name: LlmProviderName, system = 'Summarise.') =>
    providers[name].complete({
      model: LLM_PROVIDER_FACTS[name].default_model,
      system,
      user: CONVERSATION,
      schema: ANSWER_SCHEMA,
      temperature: null,
      maxOutputTokens: 1_000,
      signal: new AbortController().signal,
    });

  const askInVain = async (name: LlmProviderName, system: string) => {
    const error: unknown = await ask(name, system).catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(VendorError);
    return error as VendorError;
  };

  for (const name of LLM_PROVIDERS) {
    describe(name, () => {
      it("answers in the vendor's own format: its SDK reads answer, usage and request id", async () => {
        const answer = await ask(name);
        expect(JSON.parse(answer.text)).to.have.property('summary_text').that.contains('2 turns');
        expect(answer.isTruncated).to.equal(false);
        expect(answer.usage?.input_tokens).to.be.above(0);
        expect(answer.usage?.output_tokens).to.be.above(0);
        expect(answer.vendorRequestId).to.be.a('string').that.is.not.empty;
      });

      it('fails with the status of a directive, as often as it says', async () => {
        const system = `${name}: [vendor status=503 times=2]`;
        for (const _ of [1, 2]) expect(await askInVain(name, system)).to.include({ fault: 'unavailable' });
        expect((await ask(name, system)).text).to.contain('summary_text');
      });

      it('fails every time where the directive sets no number', async () => {
        const system = `${name}: [vendor status=401]`;
        for (const _ of [1, 2, 3]) expect(await askInVain(name, system)).to.include({ fault: 'auth' });
      });

      it('waits as long as a directive says before it answers', async () => {
        const started = performance.now();
        await ask(name, `${name}: [vendor delay_ms=300]`);
        expect(performance.now() - started).to.be.at.least(295); // timers may fire a little early
      });
    });
  }

  for (const name of ['openai', 'anthropic', 'grok'] as const) {
    it(`tells ${name}'s SDK when to come back`, async () => {
      const error = await askInVain(name, `${name}: [vendor status=429 retry_after_s=7]`);
      expect(error.fault).to.equal('rate_limited');
      expect(error.details.retryAfterMs).to.equal(7_000);
    });
  }

  it('counts the calls of each text by itself', async () => {
    await askInVain('openai', 'one: [vendor status=503 times=1]');
    await askInVain('openai', 'two: [vendor status=503 times=1]');
    await ask('openai', 'one: [vendor status=503 times=1]');
  });

  it('stand in only for vendors that have neither a key nor a base URL', () => {
    expect(findKeyless({})).to.include.members([...LLM_PROVIDERS]);
    expect(findKeyless({ OPENAI_API_KEY: 'x', GEMINI_BASE_URL: 'http://localhost:1' }))
      .to.include.members(['anthropic', 'grok'])
      .and.not.include('openai')
      .and.not.include('gemini');
  });
});
