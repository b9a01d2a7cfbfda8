/** Redacts conversations: the rules first, so the recognizer receives no number. Any failure is an error: docs/redaction.md. */
import type { Turn } from '../contract/sessions.ts';
import type { Recognizer } from './recognizer.ts';
import { RedactionError } from './redaction-error.ts';
import { replaceHits } from './replace.ts';
import type { RuleThread } from './run-in-thread.ts';
import { RECOGNIZER_KINDS, RULE_KINDS } from './types.ts';
import type { Hit, Redaction, RedactionKind } from './types.ts';

export interface RedactorDeps {
  rules: RuleThread;
  /** Required for names and addresses. */
  recognizer: Recognizer | null;
}

export interface RedactionRequest {
  kinds: readonly RedactionKind[];
  /** ISO 639-1; null: unknown. */
  language: string | null;
  signal: AbortSignal;
}

/** Returns the conversation with placeholders. Throws `RedactionError`; the original must not be used then. */
export async function redactConversation<T extends Pick<Turn, 'role' | 'text'>>(
  { rules, recognizer }: RedactorDeps,
  turns: readonly T[],
  { kinds, language, signal }: RedactionRequest,
): Promise<Redaction<T>> {
  const ofRules = RULE_KINDS.filter((kind) => kinds.includes(kind));
  const ofRecognizer = RECOGNIZER_KINDS.filter((kind) => kinds.includes(kind));
  const redaction = await rules.redact(turns, ofRules);
  if (ofRecognizer.length === 0) return redaction;
  if (recognizer === null) throw new RedactionError('failed', 'names and addresses need a recognizer');
  const hits = await recognizer.recognize(redaction.turns, ofRecognizer, language, signal);
  return replaceHits(redaction.turns, withoutPlaceholders(redaction, hits), redaction.items);
}

/** Returns the hits without the placeholders that a recognizer took for a part of a name. */
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
