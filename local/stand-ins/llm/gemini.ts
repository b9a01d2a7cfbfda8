import { randomUUID } from 'node:crypto';
import type { Schema } from '../answer-fields.ts';
import type { LlmFormat } from './format.ts';

interface GeminiContent {
  parts: { text: string }[];
}

/** Returns the schema with its types in lower case. */
function withSmallTypes(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  ) as Schema;
}

export const gemini: LlmFormat = {
  path: '/v1beta/models/[^/]+:generateContent',
  read: (body, path) => ({
    model: /models\/([^:/]+):/.exec(path)?.[1] ?? '',
    system: (body['systemInstruction'] as GeminiContent | undefined)?.parts[0]?.text ?? '',
    user: (body['contents'] as GeminiContent[])[0]?.parts[0]?.text ?? '',
    schema: withSmallTypes((body['generationConfig'] as { responseSchema?: Schema } | undefined)?.responseSchema),
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
