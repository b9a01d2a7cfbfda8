import { STT_PROVIDERS } from '../../../contract/values/providers.ts';
import type { Config } from '../../../runtime/settings/config.ts';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { loadProviders } from '../transport/load-provider.ts';
import type { SttProvider } from './provider.ts';

/** A recording of ten hours with a time for each word is about 20 MiB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export type SttProviders = ReturnType<typeof createSttProviders>;

interface SttDeps {
  providers: Pick<Config['providers'], 'transcription'>;
  calls: { sttTimeoutMs: number };
  proxies?: Config['proxies'];
  /** Milliseconds between polls of a job. */
  pollMs?: number;
}

/** Returns the providers by name. `local` has the format of Whisper. */
export function createSttProviders({ providers, calls, proxies, pollMs }: SttDeps) {
  const shared = { timeoutMs: calls.sttTimeoutMs, fetch: createProviderFetch(MAX_ANSWER_BYTES, proxies), pollMs };
  const load = (name: string) => import(`./${name === 'local' ? 'whisper' : name}.ts`);
  return loadProviders<(typeof STT_PROVIDERS)[number], SttProvider>(
    STT_PROVIDERS,
    load,
    providers.transcription,
    shared,
  );
}
