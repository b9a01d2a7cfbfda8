/**
 * OpenAI's chat-completions protocol, which xAI and most self-hosted servers use too.
 * https://developers.openai.com/api/docs/api-reference/chat
 */
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming as ChatRequest,
} from 'openai/resources/chat/completions';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { capabilityOf, hasFlex } from '../../../contract/values/providers.ts';
import { lowered, valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { createOpenAiClient } from '../transport/openai-client.ts';
import { requestIdOf } from '../transport/read-reply.ts';
import { readCharge, readServedBy, readUsage } from '../transport/read-usage.ts';
import { ANSWER_SCHEMA_NAME } from './answer-schema.ts';
import { refuseCutPrompt } from './cut-prompt.ts';
import { parseAnswer } from './parse-answer.ts';
import { timeoutOf, type LlmAnswer, type LlmProvider, type LlmRequest } from './provider.ts';
import { joinParts, readResponse, withSchema } from './read-response.ts';

export function createProvider(reach: ProviderReach<LlmProviderName>): LlmProvider {
  const { provider, timeoutMs, baseUrl } = reach;
  // A base URL may lead to any compatible server.
  const isOwnServer = baseUrl !== undefined;
  const client = createOpenAiClient('analysis', reach);

  const parametersOf = (request: LlmRequest) => chatParameters(provider, request, isOwnServer);

  async function complete(request: LlmRequest): Promise<LlmAnswer> {
    const { model, system, user, schema, steps, signal } = request;
    const values = valuesOf(parametersOf(request), steps);
    const { response_format } = values as Pick<ChatRequest, 'response_format'>;
    const instructions = response_format?.type === 'json_schema' ? system : withSchema(system, schema);
    const messages: ChatRequest['messages'] = [
      { role: 'system', content: instructions },
      { role: 'user', content: user },
    ];
    const bounds = { provider, timeoutMs: timeoutOf(values, timeoutMs), signal } as const;
    const { body, headers } = await exchange(bounds, (bound) =>
      client.chat.completions.create({ model, messages, ...values }, { signal: bound }),
    );
    const answer = readCompletion(body, model, headers);
    if (isOwnServer) refuseCutPrompt(provider, request, answer);
    return answer;
  }

  function readCompletion(completion: ChatCompletion, model: string, headers = new Headers()): LlmAnswer {
    const choices: unknown = completion.choices;
    // An element without a message does not make the others unreadable. Azure sends one for a filtered answer.
    const all = Array.isArray(choices) ? (choices as (Partial<Choice> | null)[]) : [];
    const choice =
      all.find((each) => answerTextOf(each?.message) !== '') ?? all.find((each) => each?.message) ?? all[0];
    return readResponse({
      provider,
      reason: choice?.finish_reason,
      refusal: choice?.message?.refusal,
      text: answerTextOf(choice?.message),
      usage: readUsage(completion.usage),
      servedBy: readServedBy(provider, model, completion, baseUrl),
      ...requestIdOf(headers, completion),
      providerResponse: completion,
      costUsd: readCharge(completion.usage, headers),
    });
  }

  return { parametersOf, complete, readAnswer: (response) => readCompletion(response as ChatCompletion, '') };
}

type Choice = ChatCompletion.Choice;

/** Ollama reads only `max_tokens`, which OpenAI refuses. The old name comes first: its refusal also mentions the new one. */
function chatParameters(
  provider: LlmProviderName,
  { model, schema, temperature, reasoningEffort, maxOutputTokens, economy }: LlmRequest,
  isOwnServer: boolean,
): Parameters {
  const { reasoning_effort, prompt_cache } = capabilityOf(provider, model);
  return {
    temperature: temperature === null ? [] : [temperature],
    ...(isOwnServer && { max_tokens: lowered(maxOutputTokens) }),
    max_completion_tokens: lowered(maxOutputTokens),
    response_format: [
      { type: 'json_schema', json_schema: { name: ANSWER_SCHEMA_NAME, strict: true, schema: { ...schema } } },
      // llama-cpp-python reads the schema there. Others ignore it.
      { type: 'json_object', schema },
    ],
    reasoning_effort: [reasoningEffort ?? reasoning_effort],
    ...(economy && hasFlex(provider) && { service_tier: ['flex'] }),
    prompt_cache_options: prompt_cache ? [{ mode: prompt_cache }] : [],
  };
}

/**
 * Returns the content; without it, the arguments of the only tool call, as which gateways send a schema. If a server put the
 * answer where reasoning belongs, returns that: it must be nothing but an answer, because reasoning may contain drafts.
 */
function answerTextOf(message: ChatCompletion.Choice['message'] | undefined): string {
  const content = joinParts(message?.content);
  if (content.trim() !== '') return content;
  const [call, other] = (message?.tool_calls ?? []) as { function?: { arguments?: unknown } }[];
  const given = other ? undefined : call?.function?.arguments;
  if (given != null) return typeof given === 'string' ? given : JSON.stringify(given);
  const { reasoning_content, reasoning } = (message ?? {}) as { reasoning_content?: unknown; reasoning?: unknown };
  const thoughts = joinParts(reasoning_content ?? reasoning);
  return ONLY_JSON.test(thoughts) && typeof parseAnswer(thoughts) !== 'string' ? thoughts : content;
}

const ONLY_JSON = /^[\s\uFEFF]*(?:```(?:json)?\s*)?[{[]/i;
