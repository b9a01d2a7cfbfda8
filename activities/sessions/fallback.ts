/** The session as its fallback runs it: docs/decisions.md, "Fallback". */
import type { ProviderName, Step, VendorFault } from '../../contract/constants.ts';
import { sttLimits } from '../../contract/providers.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';

/** Another vendor for a step. */
export interface StepFallback {
  provider: ProviderName;
  model: string | null;
  /** What it replaces in the assistant's settings. */
  settings: Partial<FrozenAssistant>;
}

/** Returns the assistant's other vendor for the step; undefined where there is none that takes what is to be sent. */
export function findFallback({ assistant: { fallback }, audio }: SessionModel, step: Step): StepFallback | undefined {
  if (step === 'analysis') {
    if (fallback?.llm_provider == null || fallback.llm_model === null) return undefined;
    const { llm_provider, llm_model } = fallback;
    return { provider: llm_provider, model: llm_model, settings: { llm_provider, llm_model } };
  }
  if (fallback?.stt_provider == null) return undefined;
  const { stt_provider, stt_model } = fallback;
  const { max_bytes, max_duration_s } = sttLimits(stt_provider, stt_model);
  if ((audio?.bytes ?? 0) > (max_bytes ?? Infinity) || (audio?.duration_s ?? 0) > (max_duration_s ?? Infinity)) {
    return undefined;
  }
  return { provider: stt_provider, model: stt_model, settings: { stt_provider, stt_model } };
}

/**
 * Returns the session with the fallback's vendor in place of the assistant's own, and with the note of it that is stored
 * with the answer. The row itself keeps the assistant's settings.
 */
export function withFallback(
  session: SessionModel,
  { provider, model, settings }: StepFallback,
  { step, reason }: { step: Step; reason: VendorFault },
): SessionModel {
  const second = session.$clone();
  second.assistant = { ...session.assistant, ...settings };
  second.answered_by = [...(session.answered_by ?? []), { step, provider, model, reason }];
  return second;
}
