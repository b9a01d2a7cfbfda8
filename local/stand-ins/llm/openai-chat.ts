/** OpenAI's chat completions, which xAI uses too. */
import { randomUUID } from 'node:crypto';
import type { Schema } from '../answer-fields.ts';
import type { LlmFormat, Message } from './format.ts';

export const openAiChat: LlmFormat = {
  path: '/chat/completions',
  read(body) {
    const messages = body['messages'] as Message[];
    const contentOf = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
    const format = body['response_format'] as { json_schema?: { schema?: Schema } } | undefined;
    const schema = format?.json_schema?.schema;
    return { model: String(body['model']), system: contentOf('system'), user: contentOf('user'), schema };
  },
  reply: ({ model }, { text, inputTokens, outputTokens }) => ({
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1_000),
    model,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } }],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
  }),
  error: (status, message) => ({ error: { message, type: 'stand_in_error', param: null, code: String(status) } }),
};
