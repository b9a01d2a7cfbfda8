import type { SttProviderName } from '../../../contract/values/constants.ts';
import { STT_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Config } from '../../../runtime/settings/config.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { loadLater, type Loaded } from '../transport/load-provider.ts';
import type { SttProvider } from './provider.ts';

/** A recording of ten hours with a time for each word is about 20 MiB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export type SttProviders = Record<SttProviderName, () => Promise<Loaded<SttProvider>>>;

interface SttDeps {
  providers: Pick<Config['providers'], 'transcription'>;
  calls: { sttTimeoutMs: number };
  proxies?: Config['proxies'];
  /** Milliseconds between polls of a job. */
  pollMs?: number;
}

export function createSttProviders({ providers, calls, proxies, pollMs }: SttDeps): SttProviders {
  const shared = { timeoutMs: calls.sttTimeoutMs, fetch: createProviderFetch(MAX_ANSWER_BYTES, proxies), pollMs };
  const entries = STT_PROVIDERS.map((name) => [
    name,
    loadLater<SttProvider>(() => import(`./${name}.ts`), { ...providers.transcription[name], ...shared }),
  ]);
  return Object.fromEntries(entries) as SttProviders;
}
