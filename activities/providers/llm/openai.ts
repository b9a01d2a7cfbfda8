import type { ProviderReach } from '../transport/load-provider.ts';
import { createOpenAiChat } from './openai-chat.ts';
import type { LlmProvider } from './provider.ts';

export const createProvider = (reach: ProviderReach): LlmProvider =>
  createOpenAiChat({ ...reach, provider: 'openai', defaultUrl: 'https://api.openai.com/v1' });
