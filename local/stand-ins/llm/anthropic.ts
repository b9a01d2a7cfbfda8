import { randomUUID } from 'node:crypto';
import type { Schema } from '../answer-fields.ts';
import type { LlmFormat, Message } from './format.ts';

export const anthropic: LlmFormat = {
  path: '/v1/messages',
  read: (body) => ({
    model: String(body['model']),
    system: String(body['system']),
    user: (body['messages'] as Message[])[0]?.content ?? '',
    schema: (body['output_config'] as { format?: { schema?: Schema } } | undefined)?.format?.schema,
  }),
  reply: ({ model }, { text, inputTokens, outputTokens }) => ({
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    },
  }),
  error: (_status, message) => ({
    type: 'error',
    error: { type: 'api_error', message },
    request_id: `req_${randomUUID()}`,
  }),
};
