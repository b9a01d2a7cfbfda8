/** The session as its fallback runs it: docs/decisions.md, "Fallback". */
import type { ProviderName, Step, VendorFault } from '../../contract/constants.ts';
import { sttLimits } from '../../contract/providers.ts';
import type { FrozenAssistant } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';

/** Returns whether the session's assistant has another vendor for the step, which takes what is to be sent. */
export function hasFallback({ assistant, audio }: SessionModel, step: Step): boolean {
  const { fallback } = assistant;
  if (step === 'analysis') return fallback?.llm_provider != null;
  if (fallback?.stt_provider == null) return false;
  const { max_bytes, max_duration_s } = sttLimits(fallback.stt_provider, fallback.stt_model);
  return (audio?.bytes ?? 0) <= (max_bytes ?? Infinity) && (audio?.duration_s ?? 0) <= (max_duration_s ?? Infinity);
}

/**
 * Returns the session with the fallback's vendor in place of the assistant's own, and with the note of it that is stored
 * with the answer. The row itself keeps the assistant's settings.
 */
export function withFallback(session: SessionModel, step: Step, reason: VendorFault): SessionModel {
  const { provider, model, settings } = fallbackOf(session.assistant, step);
  const second = session.$clone();
  second.assistant = { ...session.assistant, ...settings };
  second.answered_by = [...(session.answered_by ?? []), { step, provider, model, reason }];
  return second;
}

interface StepFallback {
  provider: ProviderName;
  model: string | null;
  settings: Partial<FrozenAssistant>;
}

function fallbackOf({ fallback }: FrozenAssistant, step: Step): StepFallback {
  if (step === 'transcription' && fallback?.stt_provider) {
    const { stt_provider, stt_model } = fallback;
    return { provider: stt_provider, model: stt_model, settings: { stt_provider, stt_model } };
  }
  if (step === 'analysis' && fallback?.llm_provider && fallback.llm_model !== null) {
    const { llm_provider, llm_model } = fallback;
    return { provider: llm_provider, model: llm_model, settings: { llm_provider, llm_model } };
  }
  throw new TypeError(`there is no fallback for the ${step}`);
}
