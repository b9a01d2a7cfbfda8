import type { LlmProviderName } from '../../../contract/constants.ts';
import type { Config } from '../../../runtime/config.ts';
import { capGlobalFetch } from '../../../runtime/outbound/capped-fetch.ts';
import { createAnthropic } from './anthropic.ts';
import { createGemini } from './gemini.ts';
import { createGrok } from './grok.ts';
import { createOpenAi } from './openai.ts';
import type { LlmProvider } from './provider.ts';

/** Every language-model vendor by name. A new one needs a file and a row here. */
export type LlmProviders = Record<LlmProviderName, LlmProvider>;

export function createLlmProviders({
  providers,
  vendors,
}: {
  providers: Pick<Config['providers'], LlmProviderName>;
  vendors: Pick<Config['vendors'], 'timeoutMs'>;
}): LlmProviders {
  capGlobalFetch();
  return {
    openai: createOpenAi(providers.openai, vendors.timeoutMs),
    anthropic: createAnthropic(providers.anthropic, vendors.timeoutMs),
    gemini: createGemini(providers.gemini, vendors.timeoutMs),
    grok: createGrok(providers.grok, vendors.timeoutMs),
  };
}
