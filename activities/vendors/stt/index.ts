import type { SttProviderName } from '../../../contract/constants.ts';
import type { ProviderAccess } from '../../../runtime/config.ts';
import { createUploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import { createAisha } from './aisha.ts';
import { createElevenLabs } from './elevenlabs.ts';
import type { SttProvider } from './provider.ts';
import { createWhisper } from './whisper.ts';

/** Every speech-to-text vendor by name. A new one needs a file and a row here. */
export type SttProviders = Record<SttProviderName, SttProvider>;

export interface SttDeps {
  providers: Record<SttProviderName, ProviderAccess>;
  vendors: { sttTimeoutMs: number };
  /** Milliseconds between requests for the state of a job. */
  pollMs?: number;
}

export function createSttProviders({ providers, vendors: { sttTimeoutMs }, pollMs }: SttDeps): SttProviders {
  const fetch = createUploadFetch();
  return {
    elevenlabs: createElevenLabs(providers.elevenlabs, sttTimeoutMs, fetch),
    whisper: createWhisper(providers.whisper, sttTimeoutMs, fetch),
    aisha: createAisha(providers.aisha, { timeoutMs: sttTimeoutMs, fetch, ...(pollMs !== undefined && { pollMs }) }),
  };
}
