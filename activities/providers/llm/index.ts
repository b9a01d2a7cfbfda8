import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Config } from '../../../runtime/settings/config.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { loadProviders } from '../transport/load-provider.ts';
import type { LlmProvider } from './provider.ts';

/** Far above any model's answer: the SDKs read the whole body into memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export type LlmProviders = ReturnType<typeof createLlmProviders>;

interface LlmDeps {
  providers: Pick<Config['providers'], 'analysis'>;
  calls: Pick<Config['calls'], 'timeoutMs'>;
  proxies?: Config['proxies'];
}

/** Returns the providers by name. All but two have OpenAI's format. */
export function createLlmProviders({ providers, calls: { timeoutMs }, proxies }: LlmDeps) {
  const shared = { timeoutMs, fetch: createProviderFetch(MAX_ANSWER_BYTES, proxies) };
  const load = (name: string) => import(`./${['anthropic', 'gemini'].includes(name) ? name : 'openai-chat'}.ts`);
  return loadProviders<(typeof LLM_PROVIDERS)[number], LlmProvider>(LLM_PROVIDERS, load, providers.analysis, shared);
}
