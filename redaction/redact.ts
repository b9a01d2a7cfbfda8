/** Replaces personal numbers and email addresses in a conversation, written and spoken: docs/redaction.md. */
import type { Turn } from '../contract/sessions.ts';
import { readAtoms } from './atoms.ts';
import type { Atom } from './atoms.ts';
import { CARD_DIGITS, createClassifier } from './classify.ts';
import { findEchoes } from './echoes.ts';
import type { FoundNumber } from './echoes.ts';
import { findEmails } from './emails.ts';
import { replaceHits } from './replace.ts';
import { isSpokenWord, readSegments } from './segments.ts';
import type { Conversation, Segment } from './segments.ts';
import { readTokens } from './tokens.ts';
import type { Token } from './tokens.ts';
import { RULE_KINDS } from './types.ts';
import type { Hit, Redaction, RuleKind } from './types.ts';

type Said = Pick<Turn, 'role' | 'text'>;

/** Returns the conversation with placeholders, and what was replaced. */
export const redact = <T extends Said>(turns: readonly T[], kinds: readonly RuleKind[] = RULE_KINDS): Redaction<T> =>
  replaceHits(turns, findHits(turns, kinds));

/** Returns what `redact` replaces. */
export function findHits(turns: readonly Said[], kinds: readonly RuleKind[] = RULE_KINDS): Hit[] {
  const tokens = readTokens(turns.map(({ text }) => text));
  const speakers = turns.map(({ role }) => role);
  const emails = findEmails(tokens, speakers);
  for (const { ranges } of emails) {
    for (const { first, last } of ranges) for (let at = first; at <= last; at++) asBarrier(tokens[at]);
  }
  const emailHits = emails.flatMap(({ value, ranges }) => ranges.map((range) => toHit(tokens, 'email', value, range)));
  return [...(kinds.includes('email') ? emailHits : []), ...findNumbers(tokens, speakers, kinds)];
}

function asBarrier(token: Token | undefined): void {
  if (token) token.isBarrier = true;
}

function findNumbers(tokens: readonly Token[], speakers: readonly string[], kinds: readonly RuleKind[]): Hit[] {
  const atoms = readAtoms(tokens);
  const isOfNumber = new Uint8Array(tokens.length);
  for (const { first, last } of atoms) isOfNumber.fill(1, first, last + 1);
  const conversation = { tokens, speakers, isOfNumber };
  const classify = createClassifier(conversation);
  const found: FoundNumber[] = [];
  const rest: Segment[] = [];
  for (const segment of readSegments(conversation, atoms)) {
    const kind = chosen(classify(segment), segment, kinds);
    if (kind) found.push({ kind, value: valueOf(kind, segment), segment });
    else rest.push(segment);
  }
  const all = [...found, ...findEchoes(conversation, found, rest)];
  return all.flatMap(({ kind, value, segment }) =>
    rangesOf(conversation, kind, segment).map((range) => toHit(tokens, kind, value, range)),
  );
}

/** A number of a card's length is replaced as a card if its own kind is not chosen. */
function chosen(kind: RuleKind | undefined, { digits }: Segment, kinds: readonly RuleKind[]): RuleKind | undefined {
  if (kind === undefined || kinds.includes(kind)) return kind;
  return digits.length >= CARD_DIGITS && kinds.includes('card') ? 'card' : undefined;
}

/** Digits of a phone number without the codes that may stand before it. */
const PHONE_DIGITS = 9;

/** Longer ones are no personal numbers, and are compared by their beginning. */
const MAX_VALUE = 64;

function valueOf(kind: RuleKind, { digits, characters }: Segment): string {
  if (kind === 'phone') return digits.slice(-PHONE_DIGITS);
  return (kind === 'id' || kind === 'iban' ? characters : digits).slice(0, MAX_VALUE);
}

interface Range {
  first: number;
  last: number;
}

/** Returns the parts of a number, without the words of others and words that stand between. */
function rangesOf({ tokens, isOfNumber }: Conversation, kind: RuleKind, { atoms }: Segment): Range[] {
  const ranges: Range[] = [];
  const isWanted = ({ digits }: Atom) => digits !== '' || kind === 'id' || kind === 'iban';
  for (const { first, last } of atoms.filter(isWanted)) {
    const current = ranges.at(-1);
    if (current && isOnePart(current.last, first)) current.last = last;
    else ranges.push({ first: opensNumber(first - 1) ? first - 1 : first, last });
  }
  return ranges;

  function isOnePart(before: number, after: number): boolean {
    const between = tokens.slice(before + 1, after);
    const isPause = (token: Token, index: number) => isOfNumber[before + 1 + index] === 1 || !isSpokenWord(token);
    return tokens[before]?.turn === tokens[after]?.turn && between.every(isPause);
  }

  function opensNumber(index: number): boolean {
    const [token, next] = [tokens[index], tokens[index + 1]];
    return (
      token?.turn === next?.turn && (token?.isPlus === true || (token?.folded === '(' && next?.isAttached === true))
    );
  }
}

function toHit(tokens: readonly Token[], kind: RuleKind, value: string, { first, last }: Range): Hit {
  const [begin, end] = [tokens[first], tokens[last]];
  return { kind, value, turn: begin?.turn ?? 0, start: begin?.start ?? 0, end: end?.end ?? 0 };
}
