/** Redacts conversations. The rules run first, so the recognizer receives no personal numbers. See docs/redaction.md. */
import {
  RECOGNIZER_KINDS,
  RULE_KINDS,
  type PhoneRegion,
  type RecognizerKind,
  type RedactionKind,
} from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import type { Recognizer } from './recognizer.ts';
import { RedactionError } from './redaction-error.ts';
import { replaceHits } from './replace.ts';
import type { RuleProcess } from './rule-process.ts';
import type { Hit, Redaction } from './types.ts';

export interface Redactor {
  rules: RuleProcess;
  /** Required for names and addresses. */
  recognizer: Recognizer | null;
  /** Countries whose phone numbers count without a plus; undefined: all known ones. */
  regions?: readonly PhoneRegion[];
}

export interface RedactionRequest {
  kinds: readonly RedactionKind[];
  /** ISO 639-1; null if unknown. */
  language: string | null;
  signal: AbortSignal;
  /** Owner of the conversation's workspace, or the workspace. Owners are served alternately. */
  owner: string;
  /** Whether the client chose the names of the speakers, so that they are redacted too. */
  withSpeakers?: boolean;
}

/**
 * Returns the conversation with placeholders. Items of speakers' names follow those of the turns, which their `turn` exceeds.
 * Throws `RedactionError`; the original must not be used then.
 */
export async function redactConversation<T extends Pick<Turn, 'role' | 'text'>>(
  { rules, recognizer, regions }: Redactor,
  turns: readonly T[],
  request: RedactionRequest,
): Promise<Redaction<T>> {
  const { kinds, owner, signal, withSpeakers = false } = request;
  const speakers = withSpeakers ? [...new Set(turns.map(({ role }) => role))] : [];
  const texts = [...turns, ...speakers.map((text) => ({ role: '', text }))];
  const options = { owner, signal, separate: speakers.length, ...(regions && { regions }) };
  const byRules = await rules.redact(texts, ofKinds(RULE_KINDS, kinds), options);
  const { turns: redacted, items } = await addNames(recognizer, byRules, ofKinds(RECOGNIZER_KINDS, kinds), request);
  const names = new Map(speakers.map((name, index) => [name, redacted[turns.length + index]?.text ?? '']));
  const present = (turn: T, index: number) => {
    return { ...turn, role: names.get(turn.role) ?? turn.role, text: redacted[index]?.text ?? '' };
  };
  return { turns: turns.map(present), items };
}

/** Returns the conversation with placeholders for the names and addresses as well. */
async function addNames<T extends Pick<Turn, 'text'>>(
  recognizer: Recognizer | null,
  redaction: Redaction<T>,
  kinds: readonly RecognizerKind[],
  { language, signal }: Pick<RedactionRequest, 'language' | 'signal'>,
): Promise<Redaction<T>> {
  if (kinds.length === 0) return redaction;
  if (recognizer === null) throw new RedactionError('failed', 'names and addresses need a recognizer');
  const hits = await recognizer.recognize(redaction.turns, kinds, language, signal);
  return replaceHits(redaction.turns, withoutPlaceholders(redaction, hits), redaction.items);
}

/** Throws `RedactionError` if the kinds need a recognizer that does not answer. */
export async function requireRecognizer(
  { recognizer }: Redactor,
  kinds: readonly RedactionKind[],
  signal: AbortSignal,
): Promise<void> {
  const sample = { turns: [{ text: 'Hello.' }], items: [] };
  await addNames(recognizer, sample, ofKinds(RECOGNIZER_KINDS, kinds), { language: null, signal });
}

const ofKinds = <K extends RedactionKind>(known: readonly K[], kinds: readonly RedactionKind[]): K[] =>
  known.filter((kind) => kinds.includes(kind));

/** Cuts placeholders out of the hits, because a recognizer can mistake them for a part of a name. */
function withoutPlaceholders({ turns, items }: Redaction<Pick<Turn, 'text'>>, hits: readonly Hit[]): Hit[] {
  const byTurn = Map.groupBy(items, ({ turn }) => turn);
  return hits.flatMap((hit) => {
    const inside = (byTurn.get(hit.turn) ?? []).filter((item) => item.end > hit.start && item.start < hit.end);
    const starts = [hit.start, ...inside.map(({ end }) => end)];
    const ends = [...inside.map(({ start }) => start), hit.end];
    return starts
      .map((start, index): Hit => ({ ...hit, start, end: ends[index] ?? hit.end }))
      .filter(({ turn, start, end }) => HAS_LETTER.test(turns[turn]?.text.slice(start, end) ?? ''));
  });
}

const HAS_LETTER = /\p{L}/u;
