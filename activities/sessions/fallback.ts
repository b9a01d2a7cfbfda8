/** Fallback providers: docs/decisions.md, "Fallback". */
import type { StepFallback } from '../../contract/sessions/fallback.ts';
import type { Step, ProviderFault } from '../../contract/values/constants.ts';
import type { SessionModel } from '../../db/models/session.ts';

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
