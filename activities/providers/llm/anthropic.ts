/** Anthropic's Messages API. https://platform.claude.com/docs/en/api/messages */
import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { boundedCall } from '../bounded-call.ts';
import type { ProviderReach } from '../load-provider.ts';
import { classifySdkError, SDK_GRACE_MS, withJsonType, withoutEnvironment } from '../sdk.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from './provider.ts';
import { joinParts, readResponse } from './read-response.ts';
import { cacheUsage, tokenCount } from '../token-count.ts';

const provider = 'anthropic';

export function createProvider({ apiKey, baseUrl, timeoutMs, fetch }: ProviderReach): LlmProvider {
  const client = withoutEnvironment(
    () =>
      new Anthropic({
        apiKey: apiKey ?? 'none',
        baseURL: baseUrl ?? 'https://api.anthropic.com',
        maxRetries: 0,
        timeout: timeoutMs + SDK_GRACE_MS,
        logLevel: 'off',
        // Traces would send span IDs to the provider and could contain prompts.
        openTelemetry: false,
        fetch: withJsonType(fetch),
      }),
  );

  /** Never sends the temperature: the current API version refuses it for every model. */
  function complete({ model, system, user, schema, maxOutputTokens, signal }: LlmRequest): Promise<LlmAnswer> {
    return boundedCall({ provider, timeoutMs, signal, classify }, async (bound) => {
      const message = await client.messages.create(
        {
          model,
          max_tokens: maxOutputTokens,
          system,
          messages: [{ role: 'user', content: user }],
          output_config: { format: { type: 'json_schema', schema: { ...schema } } },
        },
        // Without a timeout here, the SDK refuses a large `max_tokens`.
        { signal: bound, timeout: timeoutMs + SDK_GRACE_MS },
      );
      return readAnswer(message);
    });
  }

  return { complete, readAnswer: (response) => readAnswer(response as Message) };
}

function readAnswer(message: Message & { _request_id?: string | null }): LlmAnswer {
  return readResponse({
    provider,
    reason: message.stop_reason,
    text: joinParts(message.content),
    usage: readUsage(message),
    providerRequestId: message._request_id ?? null,
    providerResponse: message,
  });
}

/** Returns the provider's counts. Its `input_tokens` excludes tokens read from or written to the cache. */
function readUsage({ usage }: Message): CallUsage | null {
  const uncached = tokenCount(usage?.input_tokens);
  const output_tokens = tokenCount(usage?.output_tokens);
  if (uncached === undefined || output_tokens === undefined) return null;
  const cached = cacheUsage(usage.cache_read_input_tokens, usage.cache_creation_input_tokens);
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = cached;
  return { input_tokens: uncached + cache_read_tokens + cache_write_tokens, output_tokens, ...cached };
}

const classify = (error: unknown) =>
  classifySdkError({ provider, step: 'analysis' }, error, { APIError, APIConnectionError });
