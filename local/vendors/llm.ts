/** The wire formats of the four language-model vendors, as seen from their side. */
import { randomUUID } from 'node:crypto';

/** What a stand-in needs to know of a call. */
export interface LlmCall {
  model: string;
  system: string;
  user: string;
}

export interface LlmReply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

export interface LlmDialect {
  /** Matched against the path. */
  path: RegExp;
  read(body: Record<string, unknown>, path: string): LlmCall;
  reply(call: LlmCall, reply: LlmReply): unknown;
  error(status: number, message: string): unknown;
}

interface Message {
  role: string;
  content: string;
}

const openAiChat = (path: RegExp): LlmDialect => ({
  path,
  read(body) {
    const messages = body['messages'] as Message[];
    const contentOf = (role: string) => messages.find((message) => message.role === role)?.content ?? '';
    return { model: String(body['model']), system: contentOf('system'), user: contentOf('user') };
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
});

const anthropic: LlmDialect = {
  path: /^\/anthropic\/v1\/messages$/,
  read: (body) => ({
    model: String(body['model']),
    system: String(body['system']),
    user: (body['messages'] as Message[])[0]?.content ?? '',
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

interface GeminiContent {
  parts: { text: string }[];
}

const gemini: LlmDialect = {
  path: /^\/gemini\/v1beta\/models\/[^/]+:generateContent$/,
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    system: (body['systemInstruction'] as GeminiContent | undefined)?.parts[0]?.text ?? '',
    user: (body['contents'] as GeminiContent[])[0]?.parts[0]?.text ?? '',
  }),
  reply: ({ model }, { text, inputTokens, outputTokens }) => ({
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text }] } }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: model,
    responseId: randomUUID(),
  }),
  error: (status, message) => ({ error: { code: status, message, status: 'UNAVAILABLE', details: [] } }),
};

export const LLM_DIALECTS: readonly LlmDialect[] = [
  openAiChat(/^\/openai\/v1\/chat\/completions$/),
  openAiChat(/^\/xai\/v1\/chat\/completions$/),
  anthropic,
  gemini,
];
