/** Finds the words that say what kind of number is dictated, and who said them. */
import { isSpokenWord, type Token } from './tokens.ts';
import type { Conversation } from './types.ts';
import type { Label } from './words/words.ts';

const WORDS_BEFORE = 15;
const TOKENS_AROUND = 80;

/** Minimum and maximum number of digits, by the word that introduces the number. */
const LENGTHS: Readonly<Record<'card' | 'code' | 'id' | 'phone' | 'number', readonly [number, number]>> = {
  card: [8, 19],
  code: [3, 8],
  id: [5, 14],
  phone: [6, 15],
  number: [7, 12],
};
/** Minimum number of digits if they are all that the speaker answers: a part of the number, before an interruption. */
const SHORTEST_ANSWER = { card: 4, code: 3, id: 3, phone: 3, number: 7 } as const;

export interface Found {
  label: Label;
  at: number;
  /** Number of words between the label and the number. */
  words: number;
  /** Number of sentences between the label and the number. */
  sentences: number;
  /** Whether "number" is next to the label, as in "order number". That is clearer than "order" alone. */
  isOfNumber: boolean;
  /** "digits" without a count: it may ask for a code. */
  isDigits: boolean;
  /** Another speaker asked, and the number is the first that the answer says. */
  isAsked: boolean;
  /** Another speaker asked: number of words of the answer before the number. */
  answerWords: number | undefined;
}

/** Returns the words before a number that introduce it, nearest first. */
export function labelsBefore({ tokens, speakers, isOfNumber }: Conversation, first: number): Found[] {
  const found: Found[] = [];
  const speakerAt = (index: number) => speakers[tokens[index]?.turn ?? 0] ?? '';
  let [words, ownWords, sentences, wordsOfSentence] = [0, 0, 0, 0];
  for (let at = first - 1; at >= 0 && at >= first - TOKENS_AROUND && words < WORDS_BEFORE; at--) {
    const token = tokens[at];
    if (!token) break;
    if (token.isSentenceEnd || token.turn !== tokens[at + 1]?.turn) {
      if (wordsOfSentence > 0) sentences++;
      wordsOfSentence = 0;
    }
    if (isOfNumber[at] === 1) continue;
    const named = findLabel(tokens, at);
    const answerWords = speakerAt(at) === speakerAt(first) ? undefined : ownWords;
    if (named) found.push({ ...named, at, words, sentences, isAsked: answerWords === 0, answerWords });
    if (!isSpokenWord(token)) continue;
    words++;
    wordsOfSentence++;
    if (speakerAt(at) === speakerAt(first)) ownWords++;
  }
  return found;
}

export const isNumberSign = (token: Token | undefined): boolean => token?.folded === '№' || token?.folded === '#';

function findLabel(tokens: readonly Token[], at: number): Pick<Found, 'label' | 'isOfNumber' | 'isDigits'> | undefined {
  const [secondBefore, before, token, next] = [tokens[at - 2], tokens[at - 1], tokens[at], tokens[at + 1]];
  const count = before?.folded === '-' ? secondBefore : before;
  const isOfNumber = [before, next].some(
    (side) => side?.label === 'number' || side?.isDigitWord === true || isNumberSign(side),
  );
  // "passport № 4410982"
  if (isNumberSign(token) && before?.label && before.label !== 'ordinary') return undefined;
  if (token?.isDigitWord && isCodeLength(count)) return { label: 'code', isOfNumber, isDigits: false };
  // "код товара", "order ID"
  const isOrdinary =
    token?.label === 'code'
      ? token.folded.startsWith('код') && next?.label === 'ordinary'
      : token?.folded === 'id' && before?.label === 'ordinary';
  if (isOrdinary) return { label: 'ordinary', isOfNumber, isDigits: false };
  const isDigits = token?.isDigitWord === true && token.label === 'number';
  return token?.label && { label: token.label, isOfNumber, isDigits };
}

/** Returns whether the token is the length of a code, as in "three digits" and "6 digits". */
const isCodeLength = (token: Token | undefined): boolean => {
  const length = token?.number?.value ?? token?.repeats ?? Number(token?.digits);
  return length >= 3 && length <= 6;
};

/** Returns whether a label announces numbers of this length. @param isAnswer the number is the whole answer to a question for it. */
export function fits(label: Label, length: number, isAnswer = false): boolean {
  if (label === 'iban' || label === 'ordinary') return true;
  const [min, max] = LENGTHS[label];
  const isLong = length >= (isAnswer ? SHORTEST_ANSWER[label] : min);
  return isLong && length <= max;
}
