/** The input and output of redaction. */
import type { Token } from './tokens.ts';
import type { RedactionKind } from '../contract/values/redaction-kinds.ts';

/** A part of a conversation that was replaced with a placeholder. */
export interface RedactedItem {
  kind: RedactionKind;
  /** `[CARD_1]`. The same value has the same placeholder in the whole conversation. */
  placeholder: string;
  /** Index of the turn. */
  turn: number;
  /** Start of the placeholder in the redacted text, in UTF-16 code units. */
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
  /** Identifies the value: hits of the same kind with the same value get the same placeholder. */
  value: string;
  turn: number;
  start: number;
  end: number;
}

/** The smallest part of a dictated number: "forty-two", "double five", `4276`, `AA`. */
export interface Atom {
  /** Indexes of the first and the last token. */
  first: number;
  last: number;
  digits: string;
  /** Digits, and letters in upper case. */
  characters: string;
  isSpoken: boolean;
  /** Written with commas, or said with millions: a price, unless a word asks for this number. */
  isGrouped?: boolean;
  /** Whether the number is a price, a quantity, a date or a time. */
  isAmount: boolean;
}

export interface Conversation {
  tokens: readonly Token[];
  /** Speaker by turn. */
  speakers: readonly string[];
  /** Whether digits are a phone number. */
  isPhone: (digits: string, hasPlus: boolean) => boolean;
  /** 1 for each token that is a part of a number. */
  isOfNumber: Uint8Array;
}
