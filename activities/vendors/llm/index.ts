import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { LlmProviderName } from '../../../contract/constants.ts';
import type { Config } from '../../../runtime/config.ts';
import { capGlobalFetch } from '../../../runtime/outbound/capped-fetch.ts';
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

/** Returns the vendor, whose adapter is loaded at its first call: an SDK may take a tenth of a second and 20 MB. */
function loadedLater(name: LlmProviderName, reach: LlmReach): LlmProvider {
  let loading: Promise<LlmProvider> | undefined;
  async function load(): Promise<LlmProvider> {
    const { createProvider } = (await import(`./${name}.ts`)) as LlmAdapter;
    return createProvider(reach);
  }
  return {
    async complete(request) {
      const provider = await (loading ??= load());
      return provider.complete(request);
    },
  };
}
