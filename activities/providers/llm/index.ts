import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Config } from '../../../runtime/settings/config.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { loadLater, type Loaded } from '../transport/load-provider.ts';
import type { LlmProvider } from './provider.ts';

/** Far above any model's answer: the SDKs read the whole body into memory. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export type LlmProviders = Record<LlmProviderName, () => Promise<Loaded<LlmProvider>>>;

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
  const entries = LLM_PROVIDERS.map((name) => [
    name,
    loadLater<LlmProvider>(() => import(`./${name}.ts`), { ...providers.analysis[name], ...shared }),
  ]);
  return Object.fromEntries(entries) as LlmProviders;
}
