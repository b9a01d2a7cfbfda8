/** Splits turns into words, digits and signs. */
import { isIban, SMALL_PASSPORT } from './checks.ts';
import { foldWord, lookUp, type Meaning } from './vocabulary.ts';

export interface Token extends Meaning {
  turn: number;
  start: number;
  end: number;
  /** The word in lower case. */
  folded: string;
  /** Whether there is no space before the token. */
  isAttached: boolean;
  /** Ends a dictated number: a date, a time, a decimal number, an email address, or a placeholder of an earlier redaction. */
  isBarrier: boolean;
  isEmail: boolean;
  isWord: boolean;
  /** Part of a letter with a word that explains it: "b as in boy". */
  isSpelled?: boolean;
  /** A sign that ends a sentence. */
  isSentenceEnd?: boolean;
  /** The digits of a barrier whose digits are grouped with commas. */
  grouped?: string;
  /** Written digits. */
  digits?: string;
  /** Letters, or letters followed by digits, that can be part of a document number: `A`, `NWBK`, `AB1234567`. */
  letters?: string;
}

const PLACEHOLDER = /\[[A-Z]+_\d{1,9}\]/u.source;
/** An address, or one that its speaker broke off after the `@`. Starts only at a word boundary and has limited repetitions, so matching takes linear time. */
const EMAIL =
  /(?<![\p{L}\d._%+-])[\p{L}\d][\p{L}\d._%+-]{0,63}@(?:[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,8}|(?![\p{L}\d]))/u
    .source;
const DATE = /(?<![\d.])\d{1,2}(?<mark>[./])\d{1,2}\k<mark>(?:\d{4}|\d{2})(?!\.?\d)|\d{4}-\d{2}-\d{2}(?![\d-])/u.source;
const TIME = /\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/u.source;
const AMOUNT = /\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,2})?(?!,?\d)|(?<!\d[.,])(?:[1-9]\d{0,8}|0)[.,]\d{1,2}(?![.,]?\d| \d)/u
  .source;
/** An IP address or a version. */
const DOTTED =
  /(?<![\d+]|\d\.)(?:(?:25[0-5]|2[0-4]\d|1?\d{1,2})(?:\.(?:25[0-5]|2[0-4]\d|1?\d{1,2})){3}|\d{1,2}\.\d{1,2}\.\d{1,2})(?!\.?\d)/u
    .source;
const WORD = /[\p{L}\p{M}][\p{L}\p{M}\d'’ʻʼ‘`´]*/u.source;
const TOKEN = new RegExp(
  `(?<barrier>${PLACEHOLDER}|${DATE}|${TIME}|${AMOUNT}|${DOTTED})|(?<email>${EMAIL})|(?<word>${WORD})|(?<digits>\\d+)|\\S`,
  'gu',
);

/** Signs that can be between the digits of one number. Every other sign ends the number, like a word. */
const SIGN_IN_NUMBERS = /^[\p{P}+№\p{Cf}\p{M}]$/u;
/** Digits that commas group, as recognizers write a dictated code. */
const GROUPED = /^\d{1,3}(?:,\d{3}){1,2}$/;
const HAS_DIGIT = /\d/;
/** A passport with an Uzbek ending: "AA1234567ni". */
const PASSPORT_WITH_ENDING = /^(?<passport>\p{L}{2}\d{7})\p{Ll}{2,8}$/u;
const SINGLE_LATIN = /^[b-hj-z]$/i;
const SINGLE_LETTER = /^\p{L}$/u;
const CAPITALS = /^\p{Lu}{1,4}$/u;
const DOCUMENT = /^(?:\p{Lu}{1,4}\d+\p{Lu}?|(?=(?:[A-Z]+\d+){2})[A-Z\d]{8,9}|[A-Z]{2}\d{2}[A-Z\d]{11,30})$/u;

/** Longer words are not looked up. */
const MAX_WORD = 40;

export function readTokens(texts: readonly string[]): Token[] {
  const tokens: Token[] = [];
  for (const [turn, text] of texts.entries()) {
    let end = -1;
    for (const match of text.matchAll(TOKEN)) {
      const isAttached = match.index === end;
      end = match.index + match[0].length;
      for (const token of toTokens(match, { turn, start: match.index, end, isAttached })) tokens.push(token);
    }
  }
  for (let at = 0; at < tokens.length; at++) markSpelledLetter(tokens, at);
  return tokens;
}

/** Reads "b as in boy" as the letter and fillers. */
function markSpelledLetter(tokens: Token[], at: number): void {
  const letter = tokens[at];
  let like = tokens[at + 1]?.folded === ',' ? at + 2 : at + 1;
  if (!letter || !SINGLE_LETTER.test(letter.folded) || !tokens[like]?.isSpelledLike) return;
  while (tokens[like]?.isSpelledLike && like <= at + 3) like++;
  const word = tokens[like];
  if (word?.turn !== letter.turn || !word.isWord || !word.folded.startsWith(letter.folded)) return;
  const last = tokens[like + 1]?.folded === '-' && tokens[like + 1]?.isAttached ? like + 2 : like;
  tokens[at] = { ...withoutMeaning(letter), letters: letter.folded.toUpperCase(), isSpelled: true };
  for (let index = at + 1; index <= last; index++) {
    const token = tokens[index];
    if (token?.turn === letter.turn) tokens[index] = { ...withoutMeaning(token), isFiller: true, isSpelled: true };
  }
}

const withoutMeaning = ({ turn, start, end, folded, isAttached, isBarrier, isEmail, isWord }: Token): Token => ({
  ...{ turn, start, end, folded, isAttached, isBarrier, isEmail, isWord },
});

/** Returns the next token if it is in the same turn and not a barrier. */
export function follows(tokens: readonly Token[], index: number): Token | undefined {
  const next = tokens[index + 1];
  return next && next.turn === tokens[index]?.turn && !next.isBarrier ? next : undefined;
}

/** Returns whether a token is a real word, not a filler such as "uh" or a word of one letter. */
export const isSpokenWord = ({ isWord, isFiller, isCorrection, isPlus, folded }: Token): boolean =>
  isWord && !isFiller && !isCorrection && !isPlus && folded.length > 1;

type Place = Pick<Token, 'turn' | 'start' | 'end' | 'isAttached'>;

function toTokens(match: RegExpExecArray, place: Place): Token[] {
  const [text] = match;
  const { barrier, email, word, digits } = match.groups ?? {};
  const token: Token = { ...place, folded: text, isBarrier: false, isEmail: false, isWord: false };
  if (email !== undefined) return [{ ...token, isBarrier: true, isEmail: true }];
  if (barrier !== undefined)
    return [{ ...token, isBarrier: true, ...(GROUPED.test(text) && { grouped: text.replaceAll(',', '') }) }];
  if (digits !== undefined) return [{ ...token, digits }];
  if (word === undefined) return [{ ...token, isWord: !SIGN_IN_NUMBERS.test(text), ...meaningOfSign(text) }];
  if (HAS_DIGIT.test(text)) return splitWord(text, token);
  const folded = foldWord(text.slice(0, MAX_WORD));
  const letters = CAPITALS.test(text) || SINGLE_LATIN.test(text) ? { letters: text.toUpperCase() } : {};
  return [{ ...token, folded, isWord: true, ...lookUp(folded), ...letters }];
}

function meaningOfSign(sign: string): Meaning & Pick<Token, 'isSentenceEnd'> {
  if (sign === '+') return { isPlus: true };
  if (sign === '?' || sign === '!' || sign === '…') return { isSentenceEnd: true };
  if (sign === '.') return { emailSign: sign, isSentenceEnd: true };
  if (sign === '@' || sign === '_' || sign === '-') return { emailSign: sign };
  if (sign === '#' || sign === '№') return { label: 'ordinary' };
  if (sign === '%') return { isUnit: true };
  return {};
}

/** Returns the tokens of a word that contains digits. */
function splitWord(text: string, token: Token): Token[] {
  const passport = PASSPORT_WITH_ENDING.exec(text)?.groups?.['passport'];
  if (passport !== undefined) {
    const end = token.start + passport.length;
    return [
      ...splitWord(passport, { ...token, end }),
      { ...token, start: end, isAttached: true, folded: text.slice(passport.length), isWord: true },
    ];
  }
  const folded = foldWord(text.slice(0, MAX_WORD));
  // People write passports and IBANs in lower case, too.
  const capitals = text.toUpperCase();
  const isDocument = DOCUMENT.test(text) || SMALL_PASSPORT.test(text) || isIban(capitals);
  return [{ ...token, folded, isWord: true, ...lookUp(folded), ...(isDocument && { letters: text }) }];
}
