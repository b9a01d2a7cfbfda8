/** Redacts the conversation of a session, and prepares what the session's row and its originals keep. */
import { RECOGNIZER_KINDS, type RedactionKind } from '../contract/values/redaction-kinds.ts';
import type { RedactionSettings, SessionRedaction } from '../contract/values/redaction.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import type { SecretBox } from '../runtime/secrets/secrets.ts';
import { originalsOf, type Originals } from './originals.ts';
import { redactConversation, type RedactionRequest, type Redactor } from './redactor.ts';

export interface RedactSessionDeps {
  redactor: Redactor;
  secrets: SecretBox;
}

interface SessionToRedact extends Pick<RedactionRequest, 'language' | 'owner' | 'signal' | 'withSpeakers'> {
  sessionId: string;
  conversation: readonly Turn[];
  settings: RedactionSettings;
  /** An earlier redaction of the same conversation for fewer kinds, with its originals. */
  earlier?: { redaction: StoredRedaction; originals: Originals } | undefined;
}

/** `redaction` of a session's row. */
type StoredRedaction = SessionRedaction & {
  /** The session whose row of `session_originals` has the originals; null: discarded. */
  sealed_in: string | null;
};

export interface RedactedSession {
  conversation: Turn[];
  redaction: StoredRedaction;
  /** The originals, encrypted for the session; undefined: there are none to store. */
  sealed: string | undefined;
}

/** Throws `RedactionError`; the conversation must not be used then. */
export async function redactSession(
  { redactor, secrets }: RedactSessionDeps,
  { sessionId, conversation, settings, earlier, ...request }: SessionToRedact,
): Promise<RedactedSession> {
  const { turns, items } = await redactConversation(redactor, conversation, { ...request, kinds: settings.entities });
  const originals = settings.originals === 'seal' ? originalsOf(items) : {};
  const isSealed = Object.keys(originals).length > 0;
  const sealed_in = isSealed ? sessionId : (earlier?.redaction.sealed_in ?? null);
  const entities = [...new Set([...(earlier?.redaction.entities ?? []), ...settings.entities])];
  const values = new Map(items.map(({ placeholder, kind }) => [placeholder, kind]));
  const counts = { ...earlier?.redaction.counts };
  for (const kind of values.values()) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    conversation: turns,
    redaction: {
      entities,
      counts,
      originals: sealed_in === null ? 'discarded' : 'sealed',
      recognizer: entities.some((kind) => RECOGNIZER_KINDS.some((own) => own === kind)),
      sealed_in,
    },
    sealed: isSealed ? secrets.seal(JSON.stringify({ ...earlier?.originals, ...originals }), sessionId) : undefined,
  };
}

/** Returns whether the settings ask for kinds that the conversation was not redacted for. */
export const lacksRedaction = (
  settings: RedactionSettings | null | undefined,
  redaction: { entities: readonly RedactionKind[] } | null,
): settings is RedactionSettings =>
  settings != null && settings.entities.some((kind) => redaction?.entities.includes(kind) !== true);
