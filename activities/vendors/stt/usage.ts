import type { CallUsage } from '../../../db/models/vendor-call.ts';

export interface SttUsage extends CallUsage {
  /** Those of `input_tokens` that stand for audio; they have a price of their own. */
  input_audio_tokens?: number;
}

/** The first of these that can be the length of a recording: the vendor's own count, then what was measured. */
export function audioUsage(...seconds: (number | null | undefined)[]): SttUsage | null {
  const audio_seconds = seconds.find((value) => value != null && value > 0);
  return audio_seconds == null ? null : { audio_seconds };
}
