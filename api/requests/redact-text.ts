import type { Turn } from '../../contract/sessions/sessions.ts';
import { isoLanguage } from '../../contract/values/languages.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { redactSession, type RedactedSession } from '../../redaction/redact-session.ts';
import { RedactionError } from '../../redaction/redaction-error.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';

interface SubmittedText {
  /** Whose conversations take turns. */
  owner: string;
  sessionId: string;
  conversation: Turn[];
  signal: AbortSignal;
}

const RETRY_AFTER_S = 30;

/** A longer redaction would delay other requests of the workspace. */
const MAX_REDACTION_MS = 30_000;

/**
 * Returns a submitted conversation as it may be stored. Throws `payload_too_large` or `unavailable` if its assistant redacts
 * and that failed: the original is never used instead.
 */
export async function redactText(
  deps: Pick<ApiDeps, 'redactor' | 'secrets'>,
  { redaction: settings, stt_language }: AssistantModel,
  { owner, sessionId, conversation, signal }: SubmittedText,
): Promise<Partial<RedactedSession> & Pick<RedactedSession, 'conversation'>> {
  if (settings === null) return { conversation };
  const bound = AbortSignal.any([signal, AbortSignal.timeout(MAX_REDACTION_MS)]);
  const language = isoLanguage(stt_language);
  const session = { sessionId, owner, conversation, settings, language, withSpeakers: true, signal: bound };
  return redactSession(deps, session).catch((error: unknown) => {
    const isKnown = error instanceof RedactionError;
    if (!isKnown && !bound.aborted) throw error;
    if (isKnown && error.fault === 'too_large')
      throw refusal('payload_too_large:conversation', { problem: error.message });
    const problem = isKnown ? error.message : 'the redaction took too long';
    throw refusal('not_redacted', { problem }, { retryAfterS: RETRY_AFTER_S });
  });
}
