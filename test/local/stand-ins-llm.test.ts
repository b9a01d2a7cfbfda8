import { expect } from 'chai';
import { ANSWER_SCHEMA } from '../../activities/providers/llm/answer-schema.ts';
import { createLlmProviders } from '../../activities/providers/llm/index.ts';
import type { LlmProviders } from '../../activities/providers/llm/index.ts';
import type { ProviderError } from '../../activities/providers/provider-error.ts';
import { LLM_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName } from '../../contract/constants.ts';
import { LLM_PROVIDER_FACTS } from '../../contract/providers.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { testConfig } from '../support/api.ts';
import { errorOf } from '../support/error-of.ts';
import { useStarted } from '../support/use-started.ts';

const CONVERSATION = '=== x\noperator: Good morning, how can I help?\nclient: My parcel has not arrived.\n=== x';

describe('The stand-ins for the language models', () => {
  const standIns = useStarted(() => startStandIns());
  let providers: LlmProviders;
  before(() => {
    providers = createLlmProviders(testConfig(standInEnvironment(LLM_PROVIDERS, standIns.url)));
  });

  const ask = (name: LlmProviderName, system = 'Summarize.') =>
    providers[name].complete({
      model: LLM_PROVIDER_FACTS[name].default_model ?? '',
      system,
      user: CONVERSATION,
      schema: ANSWER_SCHEMA,
      temperature: null,
      maxOutputTokens: 1_000,
      signal: new AbortController().signal,
    });

  const failure = async (name: LlmProviderName, system: string) => (await errorOf(ask(name, system))) as ProviderError;

  for (const name of LLM_PROVIDERS.filter((each) => each !== 'local')) {
    it(`respond in the format of ${name}, and fail as often as a directive requests`, async () => {
      const answer = await ask(name);
      expect(JSON.parse(answer.text)).to.have.property('summary_text').that.contains('2 turns');
      expect(answer.isTruncated).to.equal(false);
      expect(answer.usage?.input_tokens).to.be.above(0);
      expect(answer.usage?.output_tokens).to.be.above(0);
      expect(answer.providerRequestId).to.be.a('string').that.is.not.empty;

      const system = `${name}: [provider status=503 times=2]`;
      for (const _ of [1, 2]) expect(await failure(name, system)).to.include({ fault: 'unavailable' });
      expect((await ask(name, system)).text).to.contain('summary_text');
    });
  }

  it('fail every time if the directive has no number', async () => {
    for (const _ of [1, 2, 3]) expect(await failure('openai', '[provider status=401]')).to.include({ fault: 'auth' });
  });

  it('wait as long as a directive requests', async () => {
    const started = performance.now();
    await ask('openai', '[provider delay_ms=300]');
    expect(performance.now() - started).to.be.at.least(295); // timers can fire slightly early
  });

  for (const name of ['openai', 'anthropic', 'grok'] as const) {
    it(`send a Retry-After that the SDK of ${name} reads`, async () => {
      const error = await failure(name, `${name}: [provider status=429 retry_after_s=7]`);
      expect(error.fault).to.equal('rate_limited');
      expect(error.details.retryAfterMs).to.equal(7_000);
    });
  }

  it('count the calls of each text separately', async () => {
    await failure('openai', 'one: [provider status=503 times=1]');
    await failure('openai', 'two: [provider status=503 times=1]');
    await ask('openai', 'one: [provider status=503 times=1]');
  });
});
