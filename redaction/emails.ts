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
    return [{ value: all.map((index) => writtenForm(tokens[index])).join(''), ranges: toRanges(tokens, all) }];
  });
}

const writtenForm = (token: Token | undefined): string =>
  token?.emailSign ?? token?.digits ?? token?.number?.value.toString() ?? token?.folded ?? '';

/** Returns the index of the last word of the domain after `at`. */
function endOfDomain(tokens: readonly Token[], at: number): number | undefined {
  const isSurelyEmail = tokens[at]?.folded !== 'at';
  let last = isSurelyEmail && DOMAIN_ENDS.has(tokens[at + 2]?.folded ?? '') ? at + 2 : undefined;
  for (let index = at + 2; index <= at + MAX_DOMAIN; index++) {
    const [token, next] = [tokens[index], tokens[index + 1]];
    if (token?.turn !== tokens[at]?.turn || token?.isBarrier) break;
    if (token?.emailSign === '.' && next?.isWord && next.turn === token.turn && (token.isWord || next.isAttached)) {
      last = index + 1;
    } else if (!token?.isWord && token?.digits === undefined) break;
    else if (last !== undefined && index > last) break;
  }
  return last;
}

/** Returns the indexes of the words before `at` that belong to the address. */
function startOfLocal(tokens: readonly Token[], speakers: readonly string[], at: number): number[] {
  const indexes: number[] = [];
  let plainWords = 0;
  let replyWords = 0;
  let wasSign = true;
  const speaker = speakers[tokens[at]?.turn ?? 0];
  for (let index = at - 1; index >= 0 && index > at - MAX_LOCAL; index--) {
    const token = tokens[index];
    if (!token || token.isBarrier) break;
    if (speakers[token.turn] !== speaker) {
      replyWords += token.isWord && !token.isFiller ? 1 : 0;
      if (replyWords > MAX_REPLY_WORDS) break;
      continue;
    }
    const isSign = token.emailSign !== undefined && token.emailSign !== '@';
    if (!token.isWord && token.digits === undefined && !isSign) {
      // A comma between spelled letters does not end the address.
      if (indexes.length > 0 && !isShort(tokens[index - 1])) break;
      continue;
    }
    if (isSign && !token.isWord && !tokens[index + 1]?.isAttached && !isShort(tokens[index - 1])) break;
    const isPlain = !isSign && !isShort(token);
    if (isPlain && !wasSign) plainWords++;
    if (plainWords > MAX_PLAIN_WORDS || (!wasSign && !isSign && (token.isBeforeEmail || token.isFiller))) break;
    indexes.unshift(index);
    wasSign = isSign;
  }
  while (indexes[0] !== undefined && isEdge(tokens[indexes[0]])) indexes.shift();
  return indexes;
}

const isEdge = (token: Token | undefined): boolean =>
  token !== undefined && (token.emailSign !== undefined || token.isFiller === true || token.isBeforeEmail === true);

/** Returns whether the token is a spelled letter or a number. */
const isShort = (token: Token | undefined): boolean =>
  token !== undefined && (token.folded.length === 1 || token.number !== undefined || token.digits !== undefined);

function toRanges(tokens: readonly Token[], indexes: readonly number[]): EmailParts['ranges'] {
  const byTurn = Map.groupBy(indexes, (index) => tokens[index]?.turn);
  return [...byTurn.values()].map((own) => ({ first: own[0] ?? 0, last: own.at(-1) ?? 0 }));
}
