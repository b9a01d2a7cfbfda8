/** The wire format of a language-model provider. */
import type { Schema } from '../answer-fields.ts';

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
}

export interface Message {
  role: string;
  content: string;
}
