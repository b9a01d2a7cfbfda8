/** Estimates the cost of analyses from the past usage of the same conversations. */
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import type { AnalysisUsage } from '../../db/queries/usage-of-sessions.ts';
import type { ApiDeps } from '../deps.ts';

/** Measured with the tokenizers of all providers. */
const BYTES_PER_TOKEN = 3.5;
const TOKENS_PER_FIELD = 20;

/** Largest ratio between the token counts of two providers for the same text. */
const OTHER_TOKENIZER = 1.15;

/** US dollars; null: unknown. */
export interface Cost {
  expected: number | null;
  /** If the output is as long as the longest 5 % and each analysis needs two calls. */
  most: number | null;
}

/** Returns the expected usage of the same conversations with other settings. */
export function changeSettings(before: AnalysisUsage, settings: FrozenAssistant): AnalysisUsage {
  const json = JSON.stringify(settings, (_, value: unknown) => value ?? undefined);
  const moreInput = (Buffer.byteLength(json) - before.settings_bytes) / BYTES_PER_TOKEN;
  const moreOutput = ((settings.fields?.length ?? 0) - before.fields) * TOKENS_PER_FIELD;
  const factor = settings.llm_provider === before.llm_provider ? 1 : OTHER_TOKENIZER;
  const tokens = (count: number, more: number) => Math.max(0, Math.round((count + more) * factor));
  return {
    ...before,
    input_tokens: tokens(before.input_tokens, moreInput),
    output_tokens: tokens(before.output_tokens, moreOutput),
    long_output_tokens: tokens(before.long_output_tokens, moreOutput),
  };
}

/** Returns the cost of one analysis. It is unknown without a usage or a price. */
export function costOfAnalysis(
  { prices }: Pick<ApiDeps, 'prices'>,
  { llm_provider, llm_model }: Pick<FrozenAssistant, 'llm_provider' | 'llm_model'>,
  usage: AnalysisUsage | undefined,
): Cost {
  if (!usage) return { expected: null, most: null };
  const { input_tokens, output_tokens, long_output_tokens } = usage;
  const longest = prices.priceOf(llm_provider, llm_model, { input_tokens, output_tokens: long_output_tokens });
  return {
    expected: prices.priceOf(llm_provider, llm_model, { input_tokens, output_tokens }),
    // A truncated or invalid output is requested once more.
    most: longest === null ? null : 2 * OTHER_TOKENIZER * longest,
  };
}
