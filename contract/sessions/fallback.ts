/** Which fallback provider can perform a step: docs/decisions.md, "Fallback". */
import type { Fallback } from '../assistants/versioned-settings.ts';
import type { ProviderName, Step } from '../values/constants.ts';
import { sttLimits } from '../values/providers.ts';
import type { FrozenAssistant } from './sessions.ts';

export interface StepFallback {
  provider: ProviderName;
  model: string | null;
  /** Replacements for the assistant's settings. */
  settings: Partial<FrozenAssistant>;
}

interface Recording {
  bytes: number;
  media_type: string;
  duration_s: number | null;
}

/** Returns the fallback for the step; undefined if there is none, or if it does not accept the recording. */
export function findFallback(
  fallback: Fallback | null | undefined,
  audio: Recording | null,
  step: Step,
): StepFallback | undefined {
  if (step === 'analysis') {
    if (fallback?.llm_provider == null || fallback.llm_model === null) return undefined;
    const { llm_provider, llm_model } = fallback;
    return { provider: llm_provider, model: llm_model, settings: { llm_provider, llm_model } };
  }
  if (fallback?.stt_provider == null) return undefined;
  const { stt_provider, stt_model } = fallback;
  const { max_bytes, max_duration_s, media_types } = sttLimits(stt_provider, stt_model);
  if (audio && media_types?.includes(audio.media_type) === false) return undefined;
  if ((audio?.bytes ?? 0) > (max_bytes ?? Infinity) || (audio?.duration_s ?? 0) > (max_duration_s ?? Infinity)) {
    return undefined;
  }
  return { provider: stt_provider, model: stt_model, settings: { stt_provider, stt_model } };
}
