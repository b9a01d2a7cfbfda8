/** The operator's own server, such as Ollama, vLLM or llama-server: docs/own-models.md. */
import type { ProviderReach } from '../transport/load-provider.ts';
import { requireLocalUrl } from '../transport/openai-client.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider } from './provider.ts';

export const createProvider = (reach: ProviderReach): LlmProvider =>
  createOpenAiChat({ ...reach, provider: 'local', defaultUrl: requireLocalUrl(reach, 'LOCAL_LLM_BASE_URL') });
