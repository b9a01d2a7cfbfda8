import type { ProviderAccess } from '../../../runtime/settings/config.ts';
import type { ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { createMemory, type Memory } from '../policy/negotiate.ts';

export interface ProviderReach extends Pick<ProviderAccess, 'apiKey' | 'baseUrl'> {
  /** Time limit of one call. */
  timeoutMs: number;
  fetch: ProviderFetch;
  /** Milliseconds between polls of a job. Default: the provider's recommendation. */
  pollMs?: number | undefined;
}

/** The exports of each provider's file, which is named after the provider. */
interface Adapter<P> {
  createProvider: (reach: ProviderReach) => P;
}

/** A provider, and what its models refused. */
export type Loaded<P> = P & { memory: Memory };

/** Returns a function that returns the provider. Loads its file on first use: all SDKs would take a fifth of a worker's start. */
export function loadLater<P>(load: () => Promise<unknown>, reach: ProviderReach): () => Promise<Loaded<P>> {
  let provider: Loaded<P> | undefined;
  return async () => {
    const { createProvider } = (await load()) as Adapter<P>;
    return (provider ??= { ...createProvider(reach), memory: createMemory() });
  };
}
