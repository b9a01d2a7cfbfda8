/** Decides whether a word that can be a number is one here: "for", "to", "oh". */
import { follows, type Token } from './tokens.ts';

/**
 * Returns whether a word is a number. "for" and "to" are numbers only between two numbers, "oh" only beside a number
 * or alone, and the Uzbek "on" only beside an Uzbek number.
 */
export function isNumber(tokens: readonly Token[], index: number): boolean {
  const number = tokens[index]?.number;
  if (!number?.isSoundAlike) return number !== undefined;
  const sides = [neighbor(tokens, index, -1), neighbor(tokens, index, 1)].filter((side) => side !== undefined);
  const spoken = sides.filter((side) => isSpokenNumber(side));
  // In "five nine, oh wait", it is an exclamation.
  if (number.value === 0 && opensWords(tokens, index)) return false;
  if (number.value === 0 && (spoken.length > 0 || sides.some(({ digits }) => digits) || sides.length === 0))
    return true;
  const [before, after] = [firmBeside(tokens, index, -1), firmBeside(tokens, index, 1)];
  if ((before > 0 && after > 0) || isOnlyNumbers(tokens, index)) return true;
  // At the start or the end of what is said, after several digits: "five five five, oh one three to."
  if (before >= FIRM_NUMBERS) return isClauseEnd(tokens[index + 1], tokens[index]);
  return after >= FIRM_NUMBERS && isClauseEnd(tokens[index - 1], tokens[index]);
}

/** Returns whether the whole turn is a few numbers and words that sound like them: "won oh nine". */
function isOnlyNumbers(tokens: readonly Token[], index: number): boolean {
  const turn = tokens[index]?.turn;
  let [count, firm] = [1, 0];
  for (const step of [-1, 1]) {
    for (let at = index + step; tokens[at]?.turn === turn; at += step) {
      const token = tokens[at];
      if (!token || Math.abs(at - index) > MAX_BESIDE) return false;
      if (isSpokenNumber(token)) firm++;
      else if (token.isWord && !token.isFiller && !token.number) return false;
      if (token.number) count++;
    }
  }
  return firm > 0 && count >= FIRM_NUMBERS;
}

function opensWords(tokens: readonly Token[], index: number): boolean {
  const [token, next] = [tokens[index], follows(tokens, index)];
  return (
    isClauseEnd(tokens[index - 1], token) &&
    next?.isWord === true &&
    !isSpokenNumber(next) &&
    !next.isFiller &&
    !next.number
  );
}

const FIRM_NUMBERS = 3;
const MAX_SIMILAR = 4;

const isClauseEnd = (beside: Token | undefined, token: Token | undefined): boolean =>
  beside?.turn !== token?.turn || (beside?.isWord === false && beside.digits === undefined);

/** Returns how many sure numbers are beside a word, up to `FIRM_NUMBERS`, with words that sound like numbers between them. */
function firmBeside(tokens: readonly Token[], index: number, step: 1 | -1): number {
  let [count, similar] = [0, 0];
  for (let at = index + step; Math.abs(at - index) <= MAX_BESIDE && count < FIRM_NUMBERS; at += step) {
    const token = tokens[at];
    if (!token || token.turn !== tokens[index]?.turn) break;
    if (isSpokenNumber(token)) count++;
    else if (token.number?.isSoundAlike) similar++;
    else if (token.isWord && !token.isFiller) break;
    if (similar > MAX_SIMILAR) break;
  }
  return count;
}

const MAX_BESIDE = 12;

const MAX_SIGNS_BETWEEN = 4;

function neighbor(tokens: readonly Token[], index: number, step: 1 | -1): Token | undefined {
  for (let distance = 1; distance <= MAX_SIGNS_BETWEEN; distance++) {
    const token = tokens[index + distance * step];
    if (token?.turn !== tokens[index]?.turn) return undefined;
    if (token && (token.isWord || token.digits !== undefined) && !token.isFiller) return token;
  }
  return undefined;
}

const isSpokenNumber = ({ digitNoun, repeats, number }: Token): boolean =>
  digitNoun !== undefined ||
  repeats !== undefined ||
  (number !== undefined && (!number.isSoundAlike || number.value === 0));
