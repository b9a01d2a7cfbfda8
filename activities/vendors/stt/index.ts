import { STT_PROVIDERS } from '../../../contract/constants.ts';
import type { SttProviderName } from '../../../contract/constants.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import { createUploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import { loadOnce } from '../load-once.ts';
import type { SttAdapter, SttProvider, SttReach } from './provider.ts';

/** Every speech-to-text vendor by name. */
export type SttProviders = Record<SttProviderName, SttProvider>;

export interface SttDeps {
  providers: Record<SttProviderName, ProviderAccess>;
  vendors: { sttTimeoutMs: number };
  /** Milliseconds between requests for the state of a job. */
  pollMs?: number;
}

export function createSttProviders({ providers, vendors, pollMs }: SttDeps): SttProviders {
  const shared = { timeoutMs: vendors.sttTimeoutMs, fetch: createUploadFetch(), pollMs };
  const entries = STT_PROVIDERS.map((name) => [name, loadedLater(name, { ...providers[name], ...shared })]);
  return Object.fromEntries(entries) as SttProviders;
}

/** Returns the vendor, whose adapter is loaded at its first call. */
function loadedLater(name: SttProviderName, reach: SttReach): SttProvider {
  const load = loadOnce(async () => {
    const { createProvider } = (await import(`./${name}.ts`)) as SttAdapter;
    return createProvider(reach);
  });
  return { transcribe: async (request, job) => (await load()).transcribe(request, job) };
}
