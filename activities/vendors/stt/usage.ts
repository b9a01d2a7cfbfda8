import type { CallUsage } from '../../../db/models/vendor-call.ts';

export interface SttUsage extends CallUsage {
  /** The part of `input_tokens` that stands for audio, which has a price of its own. */
  input_audio_tokens?: number;
}

/**
 * Returns the first value that can be the length of a recording: the vendor's own count comes before what was measured.
 */
export function audioUsage(...seconds: (number | null | undefined)[]): SttUsage | null {
  const audio_seconds = seconds.find((value) => value != null && value > 0);
  return audio_seconds == null ? null : { audio_seconds };
}
