/** The operator's own server, such as speaches or vLLM: docs/own-models.md. */
import type { ProviderReach } from '../transport/load-provider.ts';
import { requireLocalUrl } from '../transport/openai-client.ts';
import type { SttProvider } from './provider.ts';
import { createTranscriber } from './whisper.ts';

export const createProvider = (reach: ProviderReach): SttProvider =>
  createTranscriber({ ...reach, provider: 'local', baseUrl: requireLocalUrl(reach, 'LOCAL_STT_BASE_URL') });
