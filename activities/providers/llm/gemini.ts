/** Google's Gemini API. https://ai.google.dev/api/generate-content */
import {
  GoogleGenerativeAI,
  GoogleGenerativeAIFetchError,
  type EnhancedGenerateContentResponse,
  type ResponseSchema,
} from '@google/generative-ai';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { callWithFetch, type ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { postgresSafeText } from '../../../runtime/postgres-safe.ts';
import { boundedCall } from '../bounded-call.ts';
import type { ProviderReach } from '../load-provider.ts';
import { errorOfReply, unreachable, unreadable, type ProviderError } from '../provider-error.ts';
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from './provider.ts';
import { joinParts, readResponse } from './read-response.ts';
import { cacheUsage, tokenCount } from '../token-count.ts';

const provider = 'gemini';

export function createProvider({ apiKey, baseUrl, timeoutMs, fetch }: ProviderReach): LlmProvider {
  const client = new GoogleGenerativeAI(apiKey ?? 'none');

  function complete(request: LlmRequest): Promise<LlmAnswer> {
    const { model, system, user, schema, temperature, maxOutputTokens, signal } = request;
    let replied: Headers | undefined;
    const observed: ProviderFetch = async (input, init) => {
      const reply = await fetch(input, init);
      replied = reply.headers;
      return reply;
    };
    return boundedCall(
      { provider, timeoutMs, signal, classify: (error) => classify(error, replied) },
      async (bound) => {
        const chat = client.getGenerativeModel(
          {
            // The SDK does not encode the name in the URL.
            model: encodeModel(model),
            systemInstruction: system,
            generationConfig: {
              maxOutputTokens,
              responseMimeType: 'application/json',
              responseSchema: toGeminiSchema(schema) as ResponseSchema,
              ...(temperature !== null && { temperature }),
            },
          },
          baseUrl === undefined ? {} : { baseUrl },
        );
        const { response } = await callWithFetch(observed, () =>
          chat.generateContent({ contents: [{ role: 'user', parts: [{ text: user }] }] }, { signal: bound }),
        );
        return readAnswer(response);
      },
    );
  }

  return { complete, readAnswer: (response) => readAnswer(response as GeminiResponse) };
}

/** Encodes a model's name for the path. Names such as `tunedModels/mine` are two segments. */
const encodeModel = (model: string) => model.split('/').map(encodeURIComponent).join('/');

type GeminiResponse = EnhancedGenerateContentResponse & { responseId?: unknown };

/** Reads the finish reason itself, because the SDK's `text()` throws for some reasons and returns half a text for others. */
function readAnswer(response: GeminiResponse): LlmAnswer {
  const { responseId, candidates, promptFeedback } = response;
  const candidate = candidates?.[0];
  return readResponse({
    provider,
    reason: candidate?.finishReason,
    isRefused: Boolean(promptFeedback?.blockReason),
    text: joinParts(candidate?.content?.parts),
    usage: readUsage(response),
    providerRequestId: typeof responseId === 'string' ? postgresSafeText(responseId) : null,
    providerResponse: response,
  });
}

/**
 * Returns the provider's counts. The candidates' tokens exclude thoughts, which are billed as output. The provider omits
 * counts of zero, such as the candidates' if all output was thoughts.
 */
function readUsage({ usageMetadata }: GeminiResponse): CallUsage | null {
  const { promptTokenCount, candidatesTokenCount = 0, cachedContentTokenCount } = usageMetadata ?? {};
  const { thoughtsTokenCount } = (usageMetadata ?? {}) as { thoughtsTokenCount?: unknown };
  const input_tokens = tokenCount(promptTokenCount);
  const answer = tokenCount(candidatesTokenCount);
  if (input_tokens === undefined || answer === undefined) return null;
  const thoughts = tokenCount(thoughtsTokenCount) ?? 0;
  return { input_tokens, output_tokens: answer + thoughts, ...cacheUsage(cachedContentTokenCount) };
}

/** @param headers of the reply, which the SDK's errors do not contain. */
function classify(error: unknown, headers: Headers | undefined): ProviderError {
  if (error instanceof GoogleGenerativeAIFetchError && error.status !== undefined) {
    const { status, message: text, errorDetails } = error;
    const waitMs = readRetryDelay(errorDetails);
    return errorOfReply({ provider, step: 'analysis', status, text, headers, waitMs, providerRequestId: null });
  }
  return error instanceof SyntaxError ? unreadable(provider) : unreachable(provider);
}

/** Returns `RetryInfo.retryDelay`, such as "34s", in milliseconds. https://cloud.google.com/apis/design/errors */
function readRetryDelay(details: unknown): number | undefined {
  const entries = Array.isArray(details) ? (details as ({ retryDelay?: unknown } | null)[]) : [];
  const delay = entries.find((entry) => entry?.retryDelay !== undefined)?.retryDelay;
  const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN;
  return seconds > 0 ? seconds * 1_000 : undefined;
}

/** Returns the schema in Gemini's dialect: types in capitals, no `additionalProperties`. https://ai.google.dev/api/caching#Schema */
function toGeminiSchema({ type, description, enum: values, items, properties, required }: JsonSchema): unknown {
  return {
    type: type.toUpperCase(),
    ...(description && { description }),
    ...(values && { format: 'enum', enum: values }),
    ...(items && { items: toGeminiSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, toGeminiSchema(schema)]),
      ),
      // The model writes the properties in this order: evidence before values.
      propertyOrdering: Object.keys(properties),
      required,
    }),
  };
}
