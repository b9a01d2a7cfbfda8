/** A provider's counts of one call. Counts that it did not report are absent. */
export interface CallUsage {
  /** Input tokens, including cached ones. */
  input_tokens?: number;
  /** The part of `input_tokens` that was read from the provider's cache. */
  cache_read_tokens?: number;
  /** The part of `input_tokens` that was written to the provider's cache. */
  cache_write_tokens?: number;
  /** The part of `input_tokens` that is audio, which has its own price. */
  input_audio_tokens?: number;
  /** Output tokens, including reasoning. */
  output_tokens?: number;
  audio_seconds?: number;
}

/** Rounds US dollars to the ten decimals of the ledger. */
export function roundUsd(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
