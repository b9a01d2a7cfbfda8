/** The wire format of a language-model provider. */
import type { Schema } from '../declared-fields.ts';
import type { SchemaFacts } from '../schema-facts.ts';

export interface LlmCall {
  model: string;
  system: string;
  user: string;
  /** The schema of the answer, if any. */
  schema: Schema | undefined;
}

export interface LlmFormat {
  /** Pattern of the path. */
  path: string;
  read(body: Record<string, unknown>, path: string): LlmCall;
  reply(call: LlmCall, reply: { text: string; inputTokens: number; outputTokens: number }): unknown;
  error(status: number, message: string): unknown;
  /** Returns the provider's error for a schema beyond its limits, or undefined. Sources: docs/decisions.md, "Fields". */
  refuse?(schema: SchemaFacts): string | undefined;
}

export interface Message {
  role: string;
  content: string;
}

/** The export of each provider's file, which is named after the provider. */
export interface LlmStandIn {
  format: LlmFormat;
}
