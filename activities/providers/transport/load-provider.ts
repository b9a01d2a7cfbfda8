import type { ProviderName } from '../../../contract/values/constants.ts';
import type { ProviderAccess } from '../../../runtime/settings/config.ts';
import type { ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { createMemory, type Memory } from '../policy/negotiate.ts';

export interface ProviderReach<N = ProviderName> extends Pick<ProviderAccess, 'apiKey' | 'baseUrl'> {
  provider: N;
  /** Time limit of one call. */
  timeoutMs: number;
  fetch: ProviderFetch;
  /** Milliseconds between polls of a job. Default: the provider's recommendation. */
  pollMs?: number | undefined;
}

/** The exports of the file of a provider. */
interface Adapter<N, P> {
  createProvider: (reach: ProviderReach<N>) => P;
}

/** A provider, and what its models refused. */
type Loaded<P> = P & { memory: Memory };

/**
 * Returns functions that return the providers. Each loads the file of its provider on first use: all SDKs would take a fifth
 * of a worker's start.
 */
export function loadProviders<N extends ProviderName, P>(
  names: readonly N[],
  load: (name: N) => Promise<unknown>,
  access: Record<N, ProviderAccess>,
  shared: Omit<ProviderReach, 'provider' | 'apiKey' | 'baseUrl'>,
): Record<N, () => Promise<Loaded<P>>> {
  const later = (provider: N) => {
    let loaded: Loaded<P> | undefined;
    return async () => {
      const { createProvider } = (await load(provider)) as Adapter<N, P>;
      return (loaded ??= {
        ...createProvider({ ...access[provider], ...shared, provider }),
        memory: createMemory(),
      });
    };
  };
  return Object.fromEntries(names.map((name) => [name, later(name)])) as Record<N, () => Promise<Loaded<P>>>;
}
