/** The wire format of a language-model vendor, as its stand-in speaks it. */
import type { Schema } from '../declared-fields.ts';
import type { SchemaFacts } from '../schema-facts.ts';

/** What a stand-in needs to know of a call. */
export interface LlmCall {
  model: string;
  system: string;
  user: string;
  /** The schema that the answer is to have; undefined where none is sent. */
  schema: Schema | undefined;
}

export interface LlmReply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

export interface LlmFormat {
  /** A pattern of the path below the vendor's own. */
  path: string;
  read(body: Record<string, unknown>, path: string): LlmCall;
  reply(call: LlmCall, reply: LlmReply): unknown;
  error(status: number, message: string): unknown;
  /**
   * Returns what the vendor would answer to a schema beyond its limits, so that it fails here and not with a key;
   * undefined where it takes it. Sources: docs/decisions.md, "Fields".
   */
  refuse?(schema: SchemaFacts): string | undefined;
}

export interface Message {
  role: string;
  content: string;
}

/** What the file of each vendor exports; it is found by the vendor's name. */
export interface LlmStandIn {
  format: LlmFormat;
}
