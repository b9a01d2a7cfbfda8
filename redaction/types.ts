/** What redaction takes and returns. */
import type { RedactionKind } from '../contract/constants.ts';

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
  /** The replaced text; null if it must not be kept, because it may be a part of a card or a code. */
  original: string | null;
  /** The placeholder stands for a further part of the value before it. */
  isContinued: boolean;
}

export interface Redaction<T> {
  turns: T[];
  items: RedactedItem[];
}

/** A part of a conversation to replace. */
export interface Hit {
  /** The original may be stored. */
  isKept: boolean;
  /** A further part of the value of the hit before it. */
  isContinued: boolean;
  kind: RedactionKind;
  /** Equal for equal values of one kind. */
  value: string;
  turn: number;
  start: number;
  end: number;
}
