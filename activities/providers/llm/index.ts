import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Config } from '../../../runtime/config.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { loadLater } from '../load-provider.ts';
import type { LlmProvider } from './provider.ts';

/** Far above any model's answer: the SDKs read the whole body into memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export type LlmProviders = Record<LlmProviderName, LlmProvider>;

export function createLlmProviders({
  providers,
  calls: { timeoutMs },
  proxies,
}: {
  providers: Pick<Config['providers'], 'analysis'>;
  calls: Pick<Config['calls'], 'timeoutMs'>;
  proxies?: Config['proxies'];
}): LlmProviders {
  const shared = { timeoutMs, fetch: createProviderFetch(MAX_ANSWER_BYTES, proxies) };
  const entries = LLM_PROVIDERS.map((name): [LlmProviderName, LlmProvider] => {
    const load = loadLater<LlmProvider>(() => import(`./${name}.ts`), { ...providers.analysis[name], ...shared });
    return [
      name,
      {
        complete: async (request) => (await load()).complete(request),
        readAnswer: async (response) => (await load()).readAnswer(response),
      },
    ];
  });
  return Object.fromEntries(entries) as LlmProviders;
}
