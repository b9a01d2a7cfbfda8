/** The wire formats of the language-model vendors, as seen from their side. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LLM_PROVIDERS } from '../../contract/constants.ts';
import type { LlmProviderName } from '../../contract/constants.ts';
import { LLM_PROVIDER_FACTS } from '../../contract/providers.ts';
import { analyze, readTurns } from './analyze.ts';
import { answerFields } from './answer-fields.ts';
import { answerRoles } from './answer-roles.ts';
import { readDeclaration } from './declared-fields.ts';
import type { Schema } from './declared-fields.ts';
import { Refusal } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { readLies } from './lies.ts';
import { refuseSchema } from './refuse-schema.ts';

/** What a stand-in needs to know of a call. */
interface LlmCall {
  model: string;
  system: string;
  user: string;
  /** The schema that the answer is to have; undefined where none is sent. */
  schema: Schema | undefined;
}

interface LlmReply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

interface LlmFormat {
  /** A pattern of the path below the vendor's own. */
  path: string;
  read(body: Record<string, unknown>, path: string): LlmCall;
  reply(call: LlmCall, reply: LlmReply): unknown;
  error(status: number, message: string): unknown;
}

interface Message {
  role: string;
  content: string;
}

const openAiChat: LlmFormat = {
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

const anthropic: LlmFormat = {
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

interface GeminiContent {
  parts: { text: string }[];
}

const gemini: LlmFormat = {
  path: '/v1beta/models/[^/]+:generateContent',
  read: (body, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    system: (body['systemInstruction'] as GeminiContent | undefined)?.parts[0]?.text ?? '',
    user: (body['contents'] as GeminiContent[])[0]?.parts[0]?.text ?? '',
    schema: (body['generationConfig'] as { responseSchema?: Schema } | undefined)?.responseSchema,
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

const FORMATS: Record<LlmProviderName, LlmFormat> = { openai: openAiChat, anthropic, gemini, grok: openAiChat };

/** Returns a dialect that answers every prompt with an analysis of it. */
function llmDialect(vendor: LlmProviderName): Dialect {
  const { path, read, reply, error } = FORMATS[vendor];
  return {
    vendor,
    method: 'POST',
    path: new RegExp(`^${LLM_PROVIDER_FACTS[vendor].stand_in_path}${path}$`),
    async read(request, requestPath) {
      const call = read(JSON.parse(await readText(request)) as Record<string, unknown>, requestPath);
      return {
        text: `${call.system}\n${call.user}`,
        fields: { model: call.model },
        fileBytes: null,
        answer() {
          const text = JSON.stringify(answerCall(vendor, call));
          const inputTokens = estimateTokens(call.system + call.user);
          return reply(call, { text, inputTokens, outputTokens: estimateTokens(text) });
        },
      };
    },
    error,
  };
}

/** Returns the answer to a call: roles and fields where it asks for them, then the analysis. Throws the vendor's `Refusal`. */
function answerCall(vendor: LlmProviderName, { system, user, schema }: LlmCall): object {
  const declaration = readDeclaration(schema, system);
  const asksRoles = schema?.properties?.['roles'] !== undefined;
  if (!declaration && !asksRoles) return analyze(user);
  const lies = readLies(`${system}\n${user}`, user.includes('\n\nAn earlier answer'));
  if (lies.refusesSchema && declaration?.asRows === false)
    throw new Refusal(400, 'Schema is too complex: invalid argument');
  refuseSchema(vendor, schema);
  const turns = readTurns(user);
  return {
    ...(asksRoles && { roles: answerRoles(turns, lies) }),
    ...(declaration && answerFields(declaration, turns, lies)),
    ...analyze(user),
  };
}

/** Estimates the tokens of a text: one for about four characters of English. */
const estimateTokens = (text: string) => Math.ceil(text.length / 4);

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export const LLM_DIALECTS: readonly Dialect[] = LLM_PROVIDERS.map(llmDialect);
