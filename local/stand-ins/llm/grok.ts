import type { LlmFormat } from './format.ts';
import { openAiChat } from './openai-chat.ts';

export const format: LlmFormat = {
  ...openAiChat,
  refuse: ({ hasEmptyEnum }) => (hasEmptyEnum ? 'Invalid schema: empty enum' : undefined),
};
