/** Finds written and spoken email addresses: "anna dot kowalski at gmail dot com". */
import type { Token } from './tokens.ts';

interface EmailParts {
  value: string;
  /** Ranges of tokens, one per turn. */
  ranges: { first: number; last: number }[];
}

/** Top-level domains that are recognized after the name of a mail service even without "dot". */
const DOMAIN_ENDS = new Set(['com', 'ru', 'uz', 'kz', 'net', 'ком', 'ру', 'уз', 'кз', 'нет']);
/** Maximum number of words between "at" and the last "dot". */
const MAX_DOMAIN = 8;
const MAX_LOCAL = 24;
/** Maximum number of words before "at" without a sign between them, such as "john smith at". */
const MAX_PLAIN_WORDS = 2;
/** A question that no address is older than. */
const ASKS_FOR_EMAIL = /^(?:e?mail$|имейл|емейл|почт|poch|адрес|address)/u;
/** Maximum number of words of the other speaker between parts of an address. */
const MAX_REPLY_WORDS = 3;

export function findEmails(tokens: readonly Token[], speakers: readonly string[]): EmailParts[] {
  return tokens.flatMap((token, at) => {
    if (token.isEmail) return [{ value: token.folded.toLowerCase(), ranges: [{ first: at, last: at }] }];
    if (token.emailSign !== '@' || (token.isAttached && token.isWord)) return [];
    const last = endOfDomain(tokens, at);
    const indexes = last === undefined ? [] : startOfLocal(tokens, speakers, at);
    if (last === undefined || indexes.length === 0) return [];
    const all = [...indexes, ...Array.from({ length: last - at + 1 }, (_, index) => at + index)];
    const ranges = [...startBefore(tokens, speakers, indexes[0] ?? at), ...toRanges(tokens, all)];
    return [{ value: all.map((index) => writtenForm(tokens[index])).join(''), ranges }];
  });
}

/** Maximum number of tokens of a correction: "no wait, sorry,". */
const MAX_CORRECTION = 8;

/** Returns the start of an address that the speaker corrected: "anna dot, no wait, ann dot hill at mail dot com". */
function startBefore(tokens: readonly Token[], speakers: readonly string[], first: number): EmailParts['ranges'] {
  let begin = first;
  for (let at = first - 1; at >= first - MAX_CORRECTION && tokens[at]?.turn === tokens[first]?.turn; at--)
    if (tokens[at]?.isCorrection) begin = at;
  while (tokens[begin - 1]?.folded === ',') begin--;
  const start = begin < first ? startOfLocal(tokens, speakers, begin) : [];
  const isStart = start.some((index) => isSign(tokens[index]) || tokens[index]?.isSpelled === true);
  return isStart ? toRanges(tokens, start) : [];
}

const writtenForm = (token: Token | undefined): string =>
  token?.letters?.toLowerCase() ??
  token?.emailSign ??
  token?.digits ??
  token?.number?.value.toString() ??
  token?.folded ??
  '';

/** Returns the index of the last word of the domain after `at`. */
function endOfDomain(tokens: readonly Token[], at: number): number | undefined {
  const isPart = (token: Token | undefined) => token?.isWord === true || token?.digits !== undefined || isSign(token);
  const parts: number[] = [];
  for (let index = at + 1; index <= at + 2 * MAX_DOMAIN && parts.length <= MAX_DOMAIN; index++) {
    const token = tokens[index];
    if (token?.turn !== tokens[at]?.turn || token?.isBarrier) break;
    if (isPart(token)) parts.push(index);
    else if (token?.folded !== ',') break;
  }
  const isSurelyEmail = tokens[at]?.folded !== 'at';
  let last = isSurelyEmail && DOMAIN_ENDS.has(tokens[parts[1] ?? 0]?.folded ?? '') ? parts[1] : undefined;
  for (const [position, index] of parts.entries()) {
    const [token, next] = [tokens[index], tokens[parts[position + 1] ?? -1]];
    if (last !== undefined && index > last && token?.emailSign === undefined) break;
    const isDot = token?.emailSign === '.' && (token.isWord || next?.isAttached);
    if (position > 0 && isDot && next?.isWord) last = parts[position + 1];
  }
  return last;
}

/** Returns the indexes of the words before `at` that belong to the address. */
function startOfLocal(tokens: readonly Token[], speakers: readonly string[], at: number): number[] {
  const indexes: number[] = [];
  let plainWords = 0;
  let replyWords = 0;
  let wasSign = true;
  // With commas around "at", commas separate all parts of the address.
  const isList = tokens[at - 1]?.folded === ',' || tokens[at + 1]?.folded === ',';
  const speaker = speakers[tokens[at]?.turn ?? 0];
  for (let index = at - 1; index >= 0 && index > at - MAX_LOCAL; index--) {
    const token = tokens[index];
    if (!token || token.isBarrier) break;
    if (speakers[token.turn] !== speaker) {
      replyWords += token.isWord && !token.isFiller ? 1 : 0;
      if (replyWords > MAX_REPLY_WORDS || ASKS_FOR_EMAIL.test(token.folded)) break;
      continue;
    }
    if (token.isSpelled) {
      indexes.unshift(index);
      wasSign = false;
      continue;
    }
    const isLetter = isShort(token, tokens[index + 1]);
    if (!token.isWord && token.digits === undefined && !isSign(token)) {
      const isComma = token.folded === ',' && isList;
      if (!isComma && indexes.length > 0) break;
      continue;
    }
    if (isSign(token) && !token.isWord && !tokens[index + 1]?.isAttached && !isShort(tokens[index - 1], token)) break;
    const isPlain = !isSign(token) && !isLetter;
    if (isPlain && !wasSign) plainWords++;
    if (plainWords > MAX_PLAIN_WORDS || (!wasSign && !isSign(token) && token.isFiller && !isLetter)) break;
    indexes.unshift(index);
    wasSign = isSign(token);
  }
  while (indexes[0] !== undefined && isEdge(tokens[indexes[0]])) indexes.shift();
  return indexes;
}

const isSign = (token: Token | undefined): boolean => token?.emailSign !== undefined && token.emailSign !== '@';

const isEdge = (token: Token | undefined): boolean =>
  token !== undefined &&
  !token.isSpelled &&
  !isOneLetter(token) &&
  (token.emailSign !== undefined || token.isFiller === true);

const isOneLetter = ({ folded, isWord }: Token): boolean => isWord && folded.length === 1;

/** Returns whether the token is a spelled letter or a number. Two letters are a name of a letter if a comma follows. */
const isShort = (token: Token | undefined, next: Token | undefined): boolean =>
  token !== undefined &&
  (token.folded.length === 1 ||
    token.number !== undefined ||
    token.digits !== undefined ||
    (token.folded.length === 2 && next?.folded === ','));

function toRanges(tokens: readonly Token[], indexes: readonly number[]): EmailParts['ranges'] {
  const byTurn = Map.groupBy(indexes, (index) => tokens[index]?.turn);
  return [...byTurn.values()].map((own) => ({ first: own[0] ?? 0, last: own.at(-1) ?? 0 }));
}
