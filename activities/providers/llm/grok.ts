import type { ProviderReach } from '../transport/load-provider.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider } from './provider.ts';

export const createProvider = (reach: ProviderReach): LlmProvider =>
  createOpenAiChat({ ...reach, provider: 'grok', defaultUrl: 'https://api.x.ai/v1' });
