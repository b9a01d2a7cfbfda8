/** The wire formats of the language-model providers, described independently of the adapters. */
import type { JsonSchema } from '../../../activities/fields/fields-schema.ts';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import {
  capabilityOf,
  LLM_PROVIDER_FACTS,
  LLM_PROVIDERS,
  type ModelCapability,
} from '../../../contract/values/providers.ts';

export interface WireAnswer {
  text?: string;
  finish?: 'stop' | 'truncated';
  /** Usage in the provider's format; undefined if the response has none. */
  usage?: unknown;
}

export interface SentPrompt {
  model: string;
  system: string;
  user: string;
  /** Default: the response schema without fields. */
  schema?: JsonSchema;
  temperature: number | null;
  maxOutputTokens: number;
}

export interface WireError {
  status: number;
  body: unknown;
}

export interface ProviderRow {
  /** Path of the base URL. */
  basePath: string;
  model: string;
  path: (model: string) => string;
  /** Header with the key, and its value for the key `test-key`. */
  auth: readonly [string, string];
  /** Other headers that the API requires. */
  headers?: Record<string, string | RegExp>;
  /** The complete body of a request. */
  request: (prompt: SentPrompt) => unknown;
  answer: (answer: WireAnswer) => unknown;
  usage: { wire: unknown; read: unknown };
  /** Implausible usage objects, which count as missing. */
  absurdUsages: unknown[];
  /** Usage objects without counts of zero. */
  sparseUsages?: { wire: unknown; read: unknown }[];
  /** Header or property of the response with the ID of the call; undefined if the ID is in the body. */
  requestIdHeader?: string;
  /** Responses with status 200 by which the provider declines. */
  refusals: unknown[];
  error: (status: number) => unknown;
  /** Responses by which the provider refuses a schema. */
  schemaErrors: WireError[];
  /** Errors with a wait of 7 s in the body. */
  delayErrors: WireError[];
  /** Null if none is ever sent to the provider. */
  temperatureError: WireError | null;
}

/** More tokens than any prompt of the tests, because fewer tokens count as a truncated prompt. */
const OPENAI_USAGE = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 };

/** Returns the row of a provider that speaks OpenAI's chat completions as OpenAI does. */
function openAiRow(model: string, { reasoning_effort, prompt_cache }: Partial<ModelCapability> = {}): ProviderRow {
  return {
    model,
    path: () => '/v1/chat/completions',
    basePath: '/v1',
    auth: ['authorization', 'Bearer test-key'],
    requestIdHeader: 'x-request-id',
    request: ({ model, system, user, schema = ANSWER_SCHEMA, temperature, maxOutputTokens }: SentPrompt) => ({
      model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      max_completion_tokens: maxOutputTokens,
      // With a base URL, the server may support only this name.
      max_tokens: maxOutputTokens,
      response_format: { type: 'json_schema', json_schema: { name: 'conversation_analysis', strict: true, schema } },
      ...(temperature !== null && { temperature }),
      ...(reasoning_effort && { reasoning_effort }),
      ...(prompt_cache && { prompt_cache_options: { mode: prompt_cache } }),
    }),
    answer: ({ text = '', finish = 'stop', usage }: WireAnswer) => ({
      id: 'chatcmpl-1',
      choices: [{ index: 0, finish_reason: finish === 'truncated' ? 'length' : 'stop', message: { content: text } }],
      usage,
    }),
    refusals: [
      { choices: [{ finish_reason: 'stop', message: { content: null, refusal: 'I cannot.' } }], usage: OPENAI_USAGE },
      { choices: [{ finish_reason: 'content_filter', message: { content: '' } }], usage: OPENAI_USAGE },
    ],
    error: (status: number) => ({
      error: { message: 'quoted: secret words', type: 'x', param: null, code: `${status}` },
    }),
    schemaErrors: [
      "Invalid schema for response_format 'conversation_analysis': too many enum values",
      'Schema is too complex',
    ].map((message) => ({ status: 400, body: { error: { message, type: 'invalid_request_error', param: null } } })),
    delayErrors: [],
    temperatureError: {
      status: 400,
      body: { error: { message: 'Unsupported value', type: 'invalid_request_error', param: 'temperature' } },
    },
    usage: {
      wire: {
        ...OPENAI_USAGE,
        prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      read: { input_tokens: 1_000, cache_read_tokens: 40, cache_write_tokens: 30, output_tokens: 20 },
    },
    absurdUsages: [
      { prompt_tokens: -1, completion_tokens: 20 },
      { prompt_tokens: 100, completion_tokens: 1e30 },
      { prompt_tokens: '100', completion_tokens: '20' },
      { prompt_tokens: 1.5, completion_tokens: 20 },
      'many',
    ],
  };
}

const TEXT = { type: 'STRING' };
const TEXTS = { type: 'ARRAY', items: TEXT };

/** Written out, unlike in the adapter, which derives it. */
const { properties: described } = ANSWER_SCHEMA;
const GEMINI_SCHEMA = {
  type: 'OBJECT',
  properties: {
    summary_text: { ...TEXT, description: described.summary_text.description },
    topics: { ...TEXTS, description: described.topics.description },
    sentiment: { ...TEXT, format: 'enum', enum: ['positive', 'neutral', 'negative', 'mixed'] },
    action_items: { ...TEXTS, description: described.action_items.description },
    findings: {
      type: 'ARRAY',
      description: described.findings.description,
      items: {
        type: 'OBJECT',
        properties: { name: TEXT, value: TEXT },
        propertyOrdering: ['name', 'value'],
        required: ['name', 'value'],
      },
    },
  },
  propertyOrdering: ['summary_text', 'topics', 'sentiment', 'action_items', 'findings'],
  required: ['summary_text', 'topics', 'sentiment', 'action_items', 'findings'],
};

/** Gemini's schema format: no `additionalProperties`, a format for options, upper-case types, ordered properties. */
function geminiSchemaOf(schema: JsonSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === 'additionalProperties') return undefined;
    if (key === 'type' && typeof value === 'string') return value.toUpperCase();
    if (typeof value !== 'object' || value === null) return value;
    const { enum: options, properties, required } = value as JsonSchema;
    if (properties && Array.isArray(required)) return { ...value, propertyOrdering: Object.keys(properties) };
    return Array.isArray(options) ? { ...value, format: 'enum' } : value;
  });
}

const GEMINI_USAGE = { promptTokenCount: 100, candidatesTokenCount: 15, thoughtsTokenCount: 5, totalTokenCount: 120 };

const geminiError = (status: number, ...details: unknown[]) => ({
  error: { code: status, message: 'quoted: secret words', status: 'X', details },
});

const ANTHROPIC_USAGE = {
  input_tokens: 50,
  cache_read_input_tokens: 40,
  cache_creation_input_tokens: 10,
  output_tokens: 20,
};

const anthropicError = (type: string) => ({ type: 'error', error: { type, message: 'quoted: secret words' } });

/** Providers that are not listed here use OpenAI's format. */
const OWN_ROWS: Partial<Record<LlmProviderName, ProviderRow>> = {
  openai: openAiRow('gpt-6-luna', { reasoning_effort: 'none', prompt_cache: 'explicit' }),
  anthropic: {
    basePath: '',
    model: 'claude-haiku-5-5',
    path: () => '/v1/messages',
    auth: ['authorization', 'Bearer test-key'],
    headers: { 'anthropic-version': /^\d{4}-\d\d-\d\d$/ },
    request: ({ model, system, user, schema = ANSWER_SCHEMA, maxOutputTokens }) => ({
      model,
      max_tokens: maxOutputTokens,
      system,
      messages: [{ role: 'user', content: user }],
      output_config: { format: { type: 'json_schema', schema } },
    }),
    answer: ({ text = '', finish = 'stop', usage }) => ({
      id: 'msg_1',
      type: 'message',
      content: [{ type: 'text', text }],
      stop_reason: finish === 'truncated' ? 'max_tokens' : 'end_turn',
      usage,
    }),
    usage: {
      wire: ANTHROPIC_USAGE,
      read: { input_tokens: 100, cache_read_tokens: 40, cache_write_tokens: 10, output_tokens: 20 },
    },
    absurdUsages: [
      { input_tokens: -1, output_tokens: 20 },
      { input_tokens: 100, output_tokens: 1e30 },
      { input_tokens: '100', output_tokens: '20' },
      'many',
    ],
    requestIdHeader: 'request-id',
    refusals: [
      { type: 'message', content: [{ type: 'text', text: 'I' }], stop_reason: 'refusal', usage: ANTHROPIC_USAGE },
      { type: 'message', content: [], stop_reason: 'refusal', usage: ANTHROPIC_USAGE },
    ],
    error: (status) => anthropicError(status === 529 ? 'overloaded_error' : 'api_error'),
    schemaErrors: ['The compiled grammar is too large', 'Schema is too complex for compilation'].map((message) => ({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error', message } },
    })),
    delayErrors: [],
    temperatureError: null,
  },
  gemini: {
    basePath: '',
    model: 'gemini-3.5-flash',
    path: (model) => `/v1beta/models/${model}:generateContent`,
    auth: ['x-goog-api-key', 'test-key'],
    request: ({ system, user, schema = ANSWER_SCHEMA, temperature, maxOutputTokens }) => ({
      systemInstruction: { role: 'system', parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: {
        maxOutputTokens,
        responseMimeType: 'application/json',
        responseSchema: schema === ANSWER_SCHEMA ? GEMINI_SCHEMA : geminiSchemaOf(schema),
        ...(temperature !== null && { temperature }),
      },
      safetySettings: [],
    }),
    answer: ({ text = '', finish = 'stop', usage }) => ({
      candidates: [{ finishReason: finish === 'truncated' ? 'MAX_TOKENS' : 'STOP', content: { parts: [{ text }] } }],
      usageMetadata: usage,
      responseId: 'call-1',
    }),
    usage: {
      wire: { ...GEMINI_USAGE, cachedContentTokenCount: 40 },
      read: { input_tokens: 100, cache_read_tokens: 40, output_tokens: 20 },
    },
    sparseUsages: [
      {
        wire: { promptTokenCount: 100, thoughtsTokenCount: 8_000, totalTokenCount: 8_100 },
        read: { input_tokens: 100, output_tokens: 8_000 },
      },
      { wire: { promptTokenCount: 100, totalTokenCount: 100 }, read: { input_tokens: 100, output_tokens: 0 } },
    ],
    absurdUsages: [
      { promptTokenCount: -1, candidatesTokenCount: 20 },
      { promptTokenCount: 100, candidatesTokenCount: 1e30 },
      { promptTokenCount: '100', candidatesTokenCount: '20' },
      'many',
    ],
    refusals: [
      ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'].map((finishReason) => ({
        candidates: [{ finishReason, content: { parts: [{ text: 'half' }] } }],
        usageMetadata: GEMINI_USAGE,
      })),
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: GEMINI_USAGE },
    ],
    error: (status) => geminiError(status),
    schemaErrors: ['Request contains an invalid argument.', 'The specified schema produces too many states.'].map(
      (message) => ({ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } }),
    ),
    delayErrors: [429, 503].map((status) => ({
      status,
      body: geminiError(status, { '@type': 'Help' }, { '@type': 'RetryInfo', retryDelay: '7s' }),
    })),
    temperatureError: {
      status: 400,
      body: { error: { code: 400, message: 'temperature is not supported by this model', status: 'INVALID_ARGUMENT' } },
    },
  },
  grok: {
    ...openAiRow('grok-4.3', { reasoning_effort: 'none' }),
    usage: {
      // The completion's tokens do not include reasoning.
      wire: {
        prompt_tokens: 1_000,
        completion_tokens: 15,
        total_tokens: 1_020,
        prompt_tokens_details: { cached_tokens: 40 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      read: { input_tokens: 1_000, cache_read_tokens: 40, output_tokens: 20 },
    },
    absurdUsages: [
      { prompt_tokens: -1, total_tokens: 120 },
      { prompt_tokens: 100, total_tokens: 1e30 },
      { prompt_tokens: '100', total_tokens: '120' },
      { prompt_tokens: 100, total_tokens: 50 },
      'many',
    ],
  },
};

function rowOf(name: LlmProviderName): ProviderRow {
  const model = LLM_PROVIDER_FACTS[name].default_model ?? 'qwen3:8b';
  return OWN_ROWS[name] ?? openAiRow(model, capabilityOf(name, model));
}

export const PROVIDERS = Object.fromEntries(LLM_PROVIDERS.map((name) => [name, rowOf(name)])) as Record<
  LlmProviderName,
  ProviderRow
>;
