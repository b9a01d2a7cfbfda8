/** The input and output of redaction. */

/** Kinds that the rules find. */
export const RULE_KINDS = ['card', 'code', 'id', 'phone', 'email', 'iban'] as const;
/** Kinds that a recognizer finds. */
export const RECOGNIZER_KINDS = ['name', 'address'] as const;

export type RuleKind = (typeof RULE_KINDS)[number];
export type RecognizerKind = (typeof RECOGNIZER_KINDS)[number];
export type RedactionKind = RuleKind | RecognizerKind;

/** A part of a conversation that was replaced with a placeholder. */
export interface RedactedItem {
  kind: RedactionKind;
  /** `[CARD_1]`. The same value has the same placeholder in the whole conversation. */
  placeholder: string;
  /** Index of the turn. */
  turn: number;
  /** Range of the placeholder in the redacted text, in UTF-16 code units. */
  start: number;
  end: number;
  /** The replaced text; null for cards and codes, which must not be stored. */
  original: string | null;
}

export interface Redaction<T> {
  turns: T[];
  items: RedactedItem[];
}

/** A part of a conversation to replace. */
export interface Hit {
  kind: RedactionKind;
  /** Identifies the value: hits of the same kind with the same value get the same placeholder. */
  value: string;
  turn: number;
  start: number;
  end: number;
}
