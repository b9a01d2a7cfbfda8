import type { ProviderAccess } from '../../runtime/config.ts';
import type { ProviderFetch } from '../../runtime/outbound/provider-fetch.ts';

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

/** Returns a function that returns the provider. Loads its file on first use: all SDKs would take a fifth of a worker's start. */
export function loadLater<P>(load: () => Promise<unknown>, reach: ProviderReach): () => Promise<P> {
  let provider: P | undefined;
  return async () => (provider ??= ((await load()) as Adapter<P>).createProvider(reach));
}
