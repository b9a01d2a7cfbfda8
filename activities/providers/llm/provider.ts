/** The interface of every language-model provider. Each has one file, named after it, which exports `createProvider`. */
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { FieldEncoding } from '../../../contract/values/constants.ts';
import type { Adaptation } from '../adapt-request.ts';
import type { CallReport } from '../record-call.ts';

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
  /** Default: that of the model, or none where the temperature requires it. */
  reasoningEffort?: string | null;
  /** How the schema contains the fields; null or absent: it has none. */
  encoding?: FieldEncoding | null;
  /** What the model refused of the same analysis. A refused request is then thrown as `isAdapted`, not repeated. */
  adaptation?: Adaptation;
  signal: AbortSignal;
}

/** Meaning of a finish reason. `unknown`: the text counts only if it has a complete answer. */
export type Finish = 'complete' | 'truncated' | 'unknown';

export interface LlmAnswer extends CallReport {
  text: string;
  /** `truncated`: the provider stopped at `maxOutputTokens`. */
  finish: Finish;
}

/** Throws `ProviderError` for every fault of the provider. Any other error is a bug. */
export interface LlmProvider {
  complete(request: LlmRequest): Promise<LlmAnswer>;
  /** Returns the answer in a stored `providerResponse`. */
  readAnswer(providerResponse: unknown): LlmAnswer | Promise<LlmAnswer>;
}
