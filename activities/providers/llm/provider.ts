/** The interface of every language-model provider. Each has one file, named after it, which exports `createProvider`. */
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';

export interface LlmRequest {
  model: string;
  /** The instructions. */
  system: string;
  /** The conversation, fenced as data. */
  user: string;
  schema: JsonSchema;
  /** Sampling temperature, 0.0 to 1.0; null: send none. */
  temperature: number | null;
  maxOutputTokens: number;
  signal: AbortSignal;
}

/** Meaning of a finish reason. `unknown`: the text counts only if it has a complete answer. */
export type Finish = 'complete' | 'truncated' | 'unknown';

export interface LlmAnswer {
  text: string;
  /** `truncated`: the provider stopped at `maxOutputTokens`. */
  finish: Finish;
  /** The provider's counts; null if missing or absurd. */
  usage: CallUsage | null;
  /** The charge in US dollars, if the provider sends it. */
  costUsd?: number;
  providerRequestId: string | null;
  /** The provider's whole response, stored with the call. */
  providerResponse: unknown;
}

/** Throws `ProviderError` for every fault of the provider. Any other error is a bug. */
export interface LlmProvider {
  complete(request: LlmRequest): Promise<LlmAnswer>;
  /** Returns the answer in a stored `providerResponse`. */
  readAnswer(providerResponse: unknown): LlmAnswer | Promise<LlmAnswer>;
}
