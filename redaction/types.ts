/** What redaction takes and returns. */

/** Found by rules. */
export const RULE_KINDS = ['card', 'code', 'id', 'phone', 'email', 'iban'] as const;
/** Found by a recognizer. */
export const RECOGNIZER_KINDS = ['name', 'address'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];
export type RecognizerKind = (typeof RECOGNIZER_KINDS)[number];
export type RedactionKind = RuleKind | RecognizerKind;

/** A part of a conversation that a placeholder replaced. */
export interface RedactedItem {
  kind: RedactionKind;
  /** `[CARD_1]`. The same value has the same placeholder in the whole conversation. */
  placeholder: string;
  /** Index of the turn. */
  turn: number;
  /** Range of the placeholder in the redacted text, in UTF-16 units. */
  start: number;
  end: number;
  /** The replaced text; null for cards and codes, which must not be kept. */
  original: string | null;
}

export interface Redaction<T> {
  turns: T[];
  items: RedactedItem[];
}

/** A part of a conversation to replace. */
export interface Hit {
  kind: RedactionKind;
  /** Equal for equal values of one kind. */
  value: string;
  turn: number;
  start: number;
  end: number;
}
