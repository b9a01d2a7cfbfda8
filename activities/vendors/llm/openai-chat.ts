/**
 * Speaks OpenAI's chat-completions protocol, which xAI uses too.
 * https://developers.openai.com/api/docs/api-reference/chat
 */
import OpenAI from 'openai';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { LlmProviderName } from '../../../contract/constants.ts';
import { capabilityOf } from '../../../contract/providers.ts';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { boundedCall, SDK_GRACE_MS } from '../bounded-call.ts';
import { classifyOpenAiError } from '../openai-error.ts';
import { VendorError } from '../vendor-error.ts';
import { ANSWER_SCHEMA_NAME } from './answer-schema.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from './provider.ts';

export interface OpenAiChatOptions {
  provider: LlmProviderName;
  apiKey: string | undefined;
  baseUrl: string;
  timeoutMs: number;
  /** Returns usage as this vendor counts it; null where it did not say. */
  readUsage: (completion: ChatCompletion) => CallUsage | null;
  readCost?: (completion: ChatCompletion) => number | undefined;
}

export function createOpenAiChat(options: OpenAiChatOptions): LlmProvider {
  const { provider, apiKey, baseUrl, timeoutMs } = options;
  // Every option is given, so that the SDK reads nothing from the environment. Its own log would hold conversations.
  const client = new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    logLevel: 'off',
  });

  function complete({
    model,
    system,
    user,
    schema,
    temperature,
    maxOutputTokens,
    signal,
  }: LlmRequest): Promise<LlmAnswer> {
    const { reasoning_effort } = capabilityOf(provider, model);
    return boundedCall(
      { provider, timeoutMs, signal, classify: (error) => classifyOpenAiError(error, provider) },
      async (bound) => {
        const completion = await client.chat.completions.create(
          {
            model,
            messages: [
              { role: 'system', content: system },
              { role: 'user', content: user },
            ],
            max_completion_tokens: maxOutputTokens,
            response_format: {
              type: 'json_schema',
              json_schema: { name: ANSWER_SCHEMA_NAME, strict: true, schema: { ...schema } },
            },
            ...(temperature !== null && { temperature }),
            ...(reasoning_effort && { reasoning_effort }),
          },
          { signal: bound },
        );
        return readAnswer(completion, options);
      },
    );
  }

  return { complete };
}

function readAnswer(completion: ChatCompletion, { provider, readUsage, readCost }: OpenAiChatOptions): LlmAnswer {
  const usage = readUsage(completion);
  const vendorRequestId = (completion as { _request_id?: string | null })._request_id ?? null;
  const details = { provider, httpStatus: 200, vendorRequestId, ...(usage && { usage }) };
  const choice = completion.choices?.[0];
  if (choice?.message?.refusal || choice?.finish_reason === 'content_filter') {
    throw new VendorError('refused', 'declined to process this content', details);
  }
  const isTruncated = choice?.finish_reason === 'length';
  const text = choice?.message?.content;
  if (typeof text !== 'string' || (text === '' && !isTruncated)) {
    throw new VendorError('unavailable', 'answered without content', details);
  }
  const costUsd = readCost?.(completion);
  return {
    text,
    isTruncated,
    usage,
    vendorRequestId,
    vendorResponse: completion,
    ...(costUsd !== undefined && { costUsd }),
  };
}
