import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { LlmProviderName } from '../../../contract/constants.ts';
import type { Config } from '../../../runtime/config.ts';
import { capGlobalFetch } from '../../../runtime/outbound/capped-fetch.ts';
import { loadOnce } from '../load-once.ts';
import type { LlmAdapter, LlmProvider, LlmReach } from './provider.ts';

/** Every language-model vendor by name. */
export type LlmProviders = Record<LlmProviderName, LlmProvider>;

export function createLlmProviders({
  providers,
  vendors: { timeoutMs },
}: {
  providers: Pick<Config['providers'], LlmProviderName>;
  vendors: Pick<Config['vendors'], 'timeoutMs'>;
}): LlmProviders {
  capGlobalFetch();
  const entries = LLM_PROVIDERS.map((name) => [name, loadedLater(name, { ...providers[name], timeoutMs })]);
  return Object.fromEntries(entries) as LlmProviders;
}

/** Returns the vendor, whose adapter is loaded at its first call: loading every SDK would be a fifth of a worker's start. */
function loadedLater(name: LlmProviderName, reach: LlmReach): LlmProvider {
  const load = loadOnce(async () => {
    const { createProvider } = (await import(`./${name}.ts`)) as LlmAdapter;
    return createProvider(reach);
  });
  return { complete: async (request) => (await load()).complete(request) };
}
