/** Fallback providers: docs/decisions.md, "Fallback". */
import type { ProviderName, Step, ProviderFault } from '../../contract/values/constants.ts';
import { sttLimits } from '../../contract/values/providers.ts';
import type { FrozenAssistant } from '../../contract/sessions/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';

interface StepFallback {
  provider: ProviderName;
  model: string | null;
  /** Replacements for the assistant's settings. */
  settings: Partial<FrozenAssistant>;
}

/** Returns the fallback for the step; undefined if there is none, or if it does not accept the recording. */
export function findFallback({ assistant: { fallback }, audio }: SessionModel, step: Step): StepFallback | undefined {
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

/** Returns a copy of the session with the fallback's provider. `answered_by` records the fallback; it is stored with the result. */
export function withFallback(
  session: SessionModel,
  { provider, model, settings }: StepFallback,
  { step, reason }: { step: Step; reason: ProviderFault },
): SessionModel {
  const second = session.$clone();
  second.assistant = { ...session.assistant, ...settings };
  second.answered_by = [...(session.answered_by ?? []), { step, provider, model, reason }];
  return second;
}
