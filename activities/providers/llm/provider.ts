/** The interface of every language-model provider. The file of its format exports `createProvider`. */
import type { JsonSchema } from '../../fields/fields-schema.ts';
import type { Parameters, Steps } from '../policy/negotiate.ts';
import type { CallReport } from '../policy/record-call.ts';

/** How long an answer at half price may take. https://developers.openai.com/api/docs/guides/flex-processing */
const FLEX_TIMEOUT_MS = 900_000;

/** Returns the time limit of a call with these parameters. */
export const timeoutOf = ({ service_tier }: { service_tier?: unknown }, timeoutMs: number) =>
  service_tier === undefined ? timeoutMs : Math.max(timeoutMs, FLEX_TIMEOUT_MS);

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
  /** Asks for the tier at half price. */
  economy?: boolean;
  /** Which values of the parameters are sent. */
  steps?: Steps;
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
  /** Returns what the request carries beyond model and messages. */
  parametersOf(request: LlmRequest): Parameters;
  complete(request: LlmRequest): Promise<LlmAnswer>;
  /** Returns the answer in a stored `providerResponse`. */
  readAnswer(providerResponse: unknown): LlmAnswer;
}
