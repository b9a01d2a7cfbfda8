import type { LlmFormat } from './format.ts';
import { openAiChat } from './openai-chat.ts';

export const format: LlmFormat = {
  ...openAiChat,
  refuse({ isClosed, hasOptional, options }) {
    if (!isClosed || hasOptional) return "Invalid schema for response_format: 'required'";
    return options.length > 1_000 ? 'Invalid schema for response_format: too many enum values' : undefined;
  },
};
