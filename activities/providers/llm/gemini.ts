/** Google's Gemini API. https://ai.google.dev/api/generate-content */
import { GoogleGenerativeAI, type EnhancedGenerateContentResponse, type GenerationConfig } from '@google/generative-ai';
import { capabilityOf } from '../../../contract/values/providers.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { callWithFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { lowered, valuesOf, type Parameters } from '../policy/negotiate.ts';
import { exchange } from '../transport/exchange.ts';
import type { ProviderReach } from '../transport/load-provider.ts';
import { readReplies, requestIdOf } from '../transport/read-reply.ts';
import { servedBy, cacheUsage, tokenCount, readCharge } from '../transport/read-usage.ts';
import type { JsonSchema } from '../../fields/fields-schema.ts';
import { timeoutOf, type LlmAnswer, type LlmProvider, type LlmRequest } from './provider.ts';
import { joinParts, readResponse, withSchema } from './read-response.ts';

const provider = 'gemini';
const source = { provider, step: 'analysis' } as const;

export function createProvider({ apiKey, baseUrl, timeoutMs, fetch }: ProviderReach): LlmProvider {
  const client = new GoogleGenerativeAI(apiKey ?? 'none');
  const read = readReplies(fetch, source);

  async function complete(request: LlmRequest): Promise<LlmAnswer> {
    const { model, system, user, schema, steps, signal } = request;
    const { is_plain } = capabilityOf(provider, model);
    const {
      responseSchema,
      service_tier,
      'thinkingConfig.thinkingLevel': thinkingLevel,
      ...values
    } = valuesOf(parametersOf(request), steps);
    // The API accepts a schema only in its JSON mode.
    const schemaSent = values['responseMimeType'] === undefined ? undefined : responseSchema;
    const instructions = schemaSent === undefined ? withSchema(system, schema) : system;
    const generationConfig = {
      ...values,
      ...(schemaSent !== undefined && { responseSchema: schemaSent }),
      ...(thinkingLevel !== undefined && { thinkingConfig: { thinkingLevel } }),
    };
    const chat = client.getGenerativeModel(
      {
        // The SDK does not encode the name in the URL.
        model: encodeModel(model),
        ...(!is_plain && { systemInstruction: instructions }),
        generationConfig: generationConfig as GenerationConfig,
      },
      baseUrl === undefined ? {} : { baseUrl },
    );
    const texts = is_plain ? [instructions, user] : [user];
    const contents = [{ role: 'user', parts: texts.map((text) => ({ text })) }];
    const bounds = { provider, timeoutMs: timeoutOf({ service_tier }, timeoutMs), signal } as const;
    // The SDK sends what it does not know.
    const asked = { contents, ...(service_tier !== undefined && { service_tier }) };
    const { body, headers } = await exchange(bounds, (bound) =>
      callWithFetch(read, () => chat.generateContent(asked, { signal: bound })),
    );
    return readGeminiResponse(body.response, headers);
  }

  return { parametersOf, complete, readAnswer: (response) => readGeminiResponse(response as GeminiResponse) };
}

function parametersOf(request: LlmRequest): Parameters {
  const { model, schema, temperature, maxOutputTokens, reasoningEffort, economy } = request;
  const { is_plain } = capabilityOf(provider, model);
  return {
    maxOutputTokens: lowered(maxOutputTokens),
    responseMimeType: is_plain ? [] : ['application/json'],
    responseSchema: is_plain ? [] : [toGeminiSchema(schema)],
    temperature: temperature === null ? [] : [temperature],
    'thinkingConfig.thinkingLevel': reasoningEffort ? [reasoningEffort] : [],
    ...(economy && { service_tier: ['flex'] }),
  };
}

/** Encodes a model's name for the path. Names such as `tunedModels/mine` are two segments. */
const encodeModel = (model: string) => model.split('/').map(encodeURIComponent).join('/');

type GeminiResponse = EnhancedGenerateContentResponse & { responseId?: unknown; modelVersion?: unknown };

/** Reads the finish reason itself, because the SDK's `text()` throws for some reasons and returns half a text for others. */
function readGeminiResponse(response: GeminiResponse, headers = new Headers()): LlmAnswer {
  const { candidates, promptFeedback, usageMetadata } = response;
  // An element without content does not make the others unreadable.
  const all = Array.isArray(candidates) ? candidates.filter((each) => typeof each === 'object' && each !== null) : [];
  const candidate = all.find(({ content }) => joinParts(content?.parts) !== '') ?? all[0];
  const { serviceTier, trafficType } = (usageMetadata ?? {}) as unknown as Record<string, unknown>;
  return readResponse({
    provider,
    reason: candidate?.finishReason,
    refusal: promptFeedback?.blockReason && (promptFeedback.blockReasonMessage ?? promptFeedback.blockReason),
    text: joinParts(candidate?.content?.parts),
    usage: readUsage(response),
    servedBy: servedBy(response.modelVersion, [
      serviceTier ?? headers.get('x-gemini-service-tier') ?? trafficType,
      TIERS,
    ]),
    ...requestIdOf(headers, response),
    providerResponse: response,
    costUsd: readCharge(usageMetadata, headers),
  });
}

/**
 * Returns the provider's counts. The candidates' tokens exclude thoughts, which are billed as output and which some replies
 * count only in the total. The provider omits counts of zero, such as the candidates' if all output was thoughts.
 */
function readUsage({ usageMetadata }: GeminiResponse): CallUsage | null {
  const { promptTokenCount, candidatesTokenCount = 0, cachedContentTokenCount, totalTokenCount } = usageMetadata ?? {};
  const { thoughtsTokenCount, toolUsePromptTokenCount } = (usageMetadata ?? {}) as Record<string, unknown>;
  const input_tokens = tokenCount(promptTokenCount);
  const answer = tokenCount(candidatesTokenCount);
  if (input_tokens === undefined || answer === undefined) return null;
  const told = answer + (tokenCount(thoughtsTokenCount) ?? 0);
  const inTotal = (tokenCount(totalTokenCount) ?? 0) - input_tokens - (tokenCount(toolUsePromptTokenCount) ?? 0);
  return { input_tokens, output_tokens: Math.max(told, inTotal), ...cacheUsage(cachedContentTokenCount) };
}

/** Factors of the list price. A tier without an entry has prices of its own. https://ai.google.dev/gemini-api/docs/pricing */
const TIERS: Record<string, number> = {
  standard: 1,
  on_demand: 1,
  traffic_type_unspecified: 1,
  flex: 0.5,
  on_demand_flex: 0.5,
  batch: 0.5,
};

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
