/**
 * OpenAI's chat-completions protocol, which xAI and most self-hosted servers use too.
 * https://developers.openai.com/api/docs/api-reference/chat
 */
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming as ChatRequest,
} from 'openai/resources/chat/completions';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { capabilityOf } from '../../../contract/values/providers.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { boundedCall } from '../bounded-call.ts';
import type { ProviderReach } from '../load-provider.ts';
import { classifyOpenAiError, createOpenAiClient, readApiError } from '../openai-client.ts';
import { ANSWER_SCHEMA_NAME } from './answer-schema.ts';
import { refuseCutPrompt } from './cut-prompt.ts';
import { parseAnswer } from './parse-answer.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from './provider.ts';
import { joinParts, readResponse } from './read-response.ts';

interface OpenAiChatOptions extends ProviderReach {
  provider: LlmProviderName;
  /** Used if no base URL is set. A base URL may lead to any compatible server. */
  defaultUrl: string;
  /** Returns the usage as this provider counts it, or null. */
  readUsage: (completion: ChatCompletion) => CallUsage | null;
  readCost?: (completion: ChatCompletion) => number | undefined;
}

export function createOpenAiChat(options: OpenAiChatOptions): LlmProvider {
  const { provider, timeoutMs, baseUrl, defaultUrl } = options;
  const isOwnServer = baseUrl !== undefined;
  const client = createOpenAiClient({ ...options, baseUrl: baseUrl ?? defaultUrl });
  // Ollama reads only `max_tokens`, which OpenAI refuses.
  let roomNames: readonly RoomName[] = isOwnServer ? ROOM_NAMES : ['max_completion_tokens'];
  let format: Format = 'json_schema';

  /**
   * If the server does not know a name of the output limit or the response format, repeats the request without it and
   * remembers that.
   */
  async function send(prompt: Prompt, room: number, signal: AbortSignal): Promise<ChatCompletion> {
    // Concurrent calls may change them.
    const [sentNames, sentFormat] = [roomNames, format];
    const bounds = Object.fromEntries(sentNames.map((name) => [name, room]));
    try {
      return await client.chat.completions.create(
        { ...toRequest(provider, prompt, sentFormat), ...bounds },
        { signal },
      );
    } catch (error) {
      const unknown = sentNames.length > 1 ? findUnknownName(error) : undefined;
      const simpler = isOwnServer && refusesFormat(error) ? FORMATS[FORMATS.indexOf(sentFormat) + 1] : undefined;
      if (unknown !== undefined) roomNames = ROOM_NAMES.filter((name) => name !== unknown);
      else if (simpler !== undefined) format = simpler;
      else throw error;
      return send(prompt, room, signal);
    }
  }

  function complete({ maxOutputTokens, signal, ...prompt }: LlmRequest): Promise<LlmAnswer> {
    return boundedCall(
      { provider, timeoutMs, signal, classify: (error) => classifyOpenAiError(error, { provider, step: 'analysis' }) },
      async (bound) => {
        const completion = await send(prompt, maxOutputTokens, bound);
        const answer = readAnswer(completion, options);
        if (isOwnServer) refuseCutPrompt(provider, prompt, answer);
        return answer;
      },
    );
  }

  return { complete, readAnswer: (response) => readAnswer(response as ChatCompletion, options) };
}

type Prompt = Omit<LlmRequest, 'maxOutputTokens' | 'signal'>;

function toRequest(
  provider: LlmProviderName,
  { model, system, user, schema, temperature }: Prompt,
  format: Format,
): ChatRequest {
  const { reasoning_effort, prompt_cache } = capabilityOf(provider, model);
  return {
    model,
    messages: [
      {
        role: 'system',
        content: format === 'json_schema' ? system : `${system}\nThe schema: ${JSON.stringify(schema)}`,
      },
      { role: 'user', content: user },
    ],
    ...formatOf(format, schema),
    ...(temperature !== null && { temperature }),
    ...(reasoning_effort && { reasoning_effort }),
    ...(prompt_cache && { prompt_cache_options: { mode: prompt_cache } }),
  };
}

/** Response formats, the most exact first. Not every server knows every one. */
const FORMATS = ['json_schema', 'json_object', 'none'] as const;
type Format = (typeof FORMATS)[number];

function formatOf(type: Format, schema: Prompt['schema']): Pick<ChatRequest, 'response_format'> {
  if (type === 'none') return {};
  // llama-cpp-python reads the schema there. Others ignore it.
  if (type === 'json_object') return { response_format: { type, ...{ schema } } };
  return { response_format: { type, json_schema: { name: ANSWER_SCHEMA_NAME, strict: true, schema: { ...schema } } } };
}

/** Returns whether a server refused the response format, and not only the schema in it. */
function refusesFormat(error: unknown): boolean {
  const { status, message = '' } = readApiError(error);
  return status !== undefined && /response[_ ]format|json_schema/i.test(message) && !/invalid schema/i.test(message);
}

/** Names of the output limit, the old one first: its refusal also mentions the new one. */
const ROOM_NAMES = ['max_tokens', 'max_completion_tokens'] as const;
type RoomName = (typeof ROOM_NAMES)[number];

function findUnknownName(error: unknown): RoomName | undefined {
  const { status, message } = readApiError(error);
  if ((status !== 400 && status !== 422) || message === undefined) return undefined;
  if (!/not supported|unsupported|unknown|unrecognized|not permitted|at the same time/i.test(message)) return undefined;
  return ROOM_NAMES.find((name) => new RegExp(`\\b${name}\\b`).test(message));
}

function readAnswer(completion: ChatCompletion, { provider, readUsage, readCost }: OpenAiChatOptions): LlmAnswer {
  const choice = completion.choices?.[0];
  const costUsd = readCost?.(completion);
  return readResponse({
    provider,
    reason: choice?.finish_reason,
    isRefused: Boolean(choice?.message?.refusal),
    text: textOf(choice?.message),
    usage: readUsage(completion),
    providerRequestId: (completion as { _request_id?: string | null })._request_id ?? null,
    providerResponse: completion,
    ...(costUsd !== undefined && { costUsd }),
  });
}

/**
 * Returns the content. If a server put the answer where reasoning belongs, returns that: it must be nothing but an answer,
 * because reasoning may contain drafts.
 */
function textOf(message: ChatCompletion.Choice['message'] | undefined): string {
  const content = joinParts(message?.content);
  if (content.trim() !== '') return content;
  const { reasoning_content, reasoning } = (message ?? {}) as { reasoning_content?: unknown; reasoning?: unknown };
  const thoughts = joinParts(reasoning_content ?? reasoning);
  return ONLY_JSON.test(thoughts) && typeof parseAnswer(thoughts) !== 'string' ? thoughts : content;
}

const ONLY_JSON = /^[\s\uFEFF]*(?:```(?:json)?\s*)?[{[]/i;
