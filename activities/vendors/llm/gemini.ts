/** Google's Gemini API. https://ai.google.dev/api/generate-content */
import { GoogleGenerativeAI, GoogleGenerativeAIFetchError, SchemaType } from '@google/generative-ai';
import type { EnhancedGenerateContentResponse, ResponseSchema } from '@google/generative-ai';
import type { CallUsage } from '../../../db/models/vendor-call.ts';
import { observeResponse } from '../../../runtime/outbound/capped-fetch.ts';
import { postgresSafeText } from '../../../runtime/postgres-safe.ts';
import { boundedCall } from '../bounded-call.ts';
import { errorOfStatus, faultOfStatus, refusesSchema, retryAfterMs, VendorError } from '../vendor-error.ts';
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { LlmAnswer, LlmProvider, LlmReach, LlmRequest } from './provider.ts';
import { tokenCount } from '../token-count.ts';

const provider = 'gemini';

export function createProvider({ apiKey, baseUrl, timeoutMs }: LlmReach): LlmProvider {
  const client = new GoogleGenerativeAI(apiKey ?? 'none');

  function complete({
    model,
    system,
    user,
    schema,
    temperature,
    maxOutputTokens,
    signal,
  }: LlmRequest): Promise<LlmAnswer> {
    // The SDK's errors do not carry the response's headers.
    let retryAfter: number | undefined;
    const observe = (headers: Headers) => (retryAfter = retryAfterMs(headers.get('retry-after')));
    return boundedCall(
      { provider, timeoutMs, signal, classify: (error) => classify(error, retryAfter) },
      async (bound) => {
        const chat = client.getGenerativeModel(
          {
            // The SDK puts the name into the URL as it is.
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
        const { response } = await observeResponse(observe, () =>
          chat.generateContent({ contents: [{ role: 'user', parts: [{ text: user }] }] }, { signal: bound }),
        );
        return readAnswer(response);
      },
    );
  }

  return { complete };
}

/**
 * Encodes a model's name. Names such as `tunedModels/mine` are two segments of the path, and nothing else may become
 * one.
 */
const encodeModel = (model: string) => model.split('/').map(encodeURIComponent).join('/');

type GeminiResponse = EnhancedGenerateContentResponse & { responseId?: unknown };

/**
 * Returns the answer. The finish reason is read here, because the SDK's `text()` throws for some reasons and returns
 * half a text for others.
 */
function readAnswer(response: GeminiResponse): LlmAnswer {
  const usage = readUsage(response);
  const vendorRequestId = typeof response.responseId === 'string' ? postgresSafeText(response.responseId) : null;
  const details = { provider, httpStatus: 200, vendorRequestId, ...(usage && { usage }) } as const;
  const candidate = response.candidates?.[0];
  const reason: string = candidate?.finishReason ?? '';
  if (response.promptFeedback?.blockReason || REFUSALS.has(reason)) {
    throw new VendorError('refused', 'declined to process this content', details);
  }
  const isTruncated = reason === 'MAX_TOKENS';
  const text = candidate?.content?.parts?.map((part) => part.text ?? '').join('') ?? '';
  if (text === '' && !isTruncated) throw new VendorError('unavailable', 'answered without content', details);
  return { text, isTruncated, usage, vendorRequestId, vendorResponse: response };
}

const REFUSALS = new Set(['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII']);

/** Returns the vendor's counts. Thoughts are not among the candidates' tokens but are billed as output. */
function readUsage({ usageMetadata }: GeminiResponse): CallUsage | null {
  const input_tokens = tokenCount(usageMetadata?.promptTokenCount);
  const answer = tokenCount(usageMetadata?.candidatesTokenCount);
  if (input_tokens === undefined || answer === undefined) return null;
  const thoughts = tokenCount((usageMetadata as { thoughtsTokenCount?: unknown }).thoughtsTokenCount) ?? 0;
  const cached = tokenCount(usageMetadata?.cachedContentTokenCount);
  return { input_tokens, output_tokens: answer + thoughts, ...(cached && { cache_read_tokens: cached }) };
}

function classify(error: unknown, retryAfter: number | undefined): VendorError {
  if (error instanceof GoogleGenerativeAIFetchError && error.status !== undefined) {
    const { status, message, errorDetails } = error;
    const wait = Math.max(retryAfter ?? 0, readRetryDelay(errorDetails) ?? 0);
    return errorOfStatus(
      status,
      {
        provider,
        ...(wait > 0 && { retryAfterMs: wait }),
        refusesSchema: refusesSchema(status, message),
        refusesTemperature: status === 400 && /temperature/i.test(message),
      },
      // Gemini answers with status 400 to a key that is not valid.
      /API_KEY_INVALID/.test(message) ? 'auth' : faultOfStatus(status),
    );
  }
  const isParserError = error instanceof SyntaxError;
  return new VendorError(
    'unavailable',
    isParserError ? 'sent an answer that could not be read' : 'could not be reached',
    {
      provider,
    },
  );
}

/** Returns `RetryInfo.retryDelay`, such as "34s", in milliseconds. https://cloud.google.com/apis/design/errors */
function readRetryDelay(details: unknown): number | undefined {
  const entries = Array.isArray(details) ? (details as ({ retryDelay?: unknown } | null)[]) : [];
  const delay = entries.find((entry) => entry?.retryDelay !== undefined)?.retryDelay;
  const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN;
  return seconds > 0 ? seconds * 1_000 : undefined;
}

/** Returns the schema in Gemini's own dialect, which has its own type names and no `additionalProperties`. */
function toGeminiSchema({ type, description, enum: values, items, properties, required }: JsonSchema): unknown {
  return {
    type: SchemaType[type.toUpperCase() as keyof typeof SchemaType],
    ...(description && { description }),
    ...(values && { format: 'enum', enum: values }),
    ...(items && { items: toGeminiSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, toGeminiSchema(schema)]),
      ),
      required,
    }),
  };
}
