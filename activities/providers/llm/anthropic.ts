/** Anthropic's Messages API. https://platform.claude.com/docs/en/api/messages */
import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { lowered, valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { readReplies, requestIdOf } from '../transport/read-reply.ts';
import { servedBy, cacheUsage, tokenCount, readCharge } from '../transport/read-usage.ts';
import { SDK_GRACE_MS, withoutEnvironment } from '../transport/sdk.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from './provider.ts';
import { joinParts, readResponse, withSchema } from './read-response.ts';

const provider = 'anthropic';
const source = { provider, step: 'analysis' } as const;

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
        fetch: readReplies(fetch, source),
      }),
  );

  /** Never sends the temperature: the current API version refuses it for every model. */
  async function complete(request: LlmRequest): Promise<LlmAnswer> {
    const { model, system, user, schema, steps, signal } = request;
    const values = valuesOf(parametersOf(request), steps);
    const config = { format: values['output_config.format'], effort: values['output_config.effort'] };
    const body = {
      model,
      max_tokens: values['max_tokens'],
      system: config.format === undefined ? withSchema(system, schema) : system,
      messages: [{ role: 'user', content: user }],
      ...((config.format ?? config.effort) !== undefined && { output_config: config }),
    };
    // `messages.create` would write warnings about old models to the process's log.
    const { body: message, headers } = await exchange({ provider, timeoutMs, signal }, (bound) =>
      client.post<Message>('/v1/messages', { body, signal: bound, timeout: timeoutMs + SDK_GRACE_MS }),
    );
    return readMessage(message, headers);
  }

  return { parametersOf, complete, readAnswer: (response) => readMessage(response as Message) };
}

/** The API requires an output limit, so its last value is the lowest one. */
const parametersOf = ({ schema, maxOutputTokens, reasoningEffort }: LlmRequest): Parameters => ({
  max_tokens: lowered(maxOutputTokens),
  'output_config.format': [{ type: 'json_schema', schema: { ...schema } }],
  'output_config.effort': [reasoningEffort ?? undefined],
});

/** Factors of the list price. Another tier, place or speed has prices of its own. https://platform.claude.com/docs/en/about-claude/pricing */
const TIERS: Record<string, number> = { standard: 1, batch: 0.5 };
const PLACES: Record<string, number> = { global: 1, not_available: 1, us: 1.1 };
const SPEEDS: Record<string, number> = { standard: 1 };

function readMessage(message: Message, headers = new Headers()): LlmAnswer {
  const { service_tier, inference_geo, speed } = (message.usage ?? {}) as unknown as Record<string, unknown>;
  return readResponse({
    provider,
    reason: message.stop_reason,
    text: joinParts(message.content),
    usage: readUsage(message),
    servedBy: servedBy(message.model, [service_tier, TIERS], [inference_geo, PLACES], [speed, SPEEDS]),
    ...requestIdOf(headers, message),
    providerResponse: message,
    costUsd: readCharge(message.usage, headers),
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
