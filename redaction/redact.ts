/** Replaces written and spoken personal numbers and email addresses in a conversation. See docs/redaction.md. */
import { PHONE_REGIONS, RULE_KINDS, type PhoneRegion, type RuleKind } from '../contract/values/redaction-kinds.ts';
import type { Turn } from '../contract/sessions/sessions.ts';
import { readAtoms } from './atoms.ts';
import { createIsPhone, isCard } from './checks.ts';
import { createClassifier, mayBeKept } from './classify.ts';
import { findEchoes, MAX_VALUE, type FoundNumber } from './echoes.ts';
import { findEmails } from './emails.ts';
import { replaceHits } from './replace.ts';
import { findSecrets } from './secrets.ts';
import { lastOf, readSegments, type Segment } from './segments.ts';
import { isSpokenWord, readTokens, type Token } from './tokens.ts';
import type { Atom, Conversation, Hit, Redaction } from './types.ts';

type Said = Pick<Turn, 'role' | 'text'>;

export interface RuleOptions {
  /** Countries whose phone numbers count without a plus. */
  regions?: readonly PhoneRegion[];
  /** The number of turns at the end that do not belong to the conversation. Each is read by itself. */
  separate?: number;
}

/** Returns the conversation with placeholders, and the replaced parts. */
export function redact<T extends Said>(
  turns: readonly T[],
  kinds: readonly RuleKind[] = RULE_KINDS,
  { regions = PHONE_REGIONS, separate = 0 }: RuleOptions = {},
): Redaction<T> {
  const spoken = turns.length - separate;
  const hits = turns
    .slice(spoken)
    .flatMap((turn, index) => findHits([turn], kinds, regions).map((hit) => ({ ...hit, turn: spoken + index })));
  return replaceHits(turns, [...findHits(turns.slice(0, spoken), kinds, regions), ...hits]);
}

/** Returns the parts that `redact` replaces. */
export function findHits(
  turns: readonly Said[],
  kinds: readonly RuleKind[] = RULE_KINDS,
  regions: readonly PhoneRegion[] = PHONE_REGIONS,
): Hit[] {
  const texts = turns.map(({ text }) => text);
  const tokens = readTokens(texts);
  const speakers = turns.map(({ role }) => role);
  const emails = findEmails(tokens, speakers);
  for (const { ranges } of emails) {
    for (const { first, last } of ranges) for (let at = first; at <= last; at++) asBarrier(tokens[at]);
  }
  const emailHits = emails.flatMap(({ value, ranges }) =>
    toHits(tokens, { kind: 'email', value, isKept: true }, ranges),
  );
  const secretHits = kinds.includes('code')
    ? findSecrets(tokens, texts, speakers).flatMap(({ value, ranges }) =>
        toHits(tokens, { kind: 'code', value, isKept: false }, ranges),
      )
    : [];
  const isPhone = createIsPhone(regions);
  return [
    ...(kinds.includes('email') ? emailHits : []),
    ...secretHits,
    ...findNumbers({ tokens, speakers, isPhone }, kinds),
  ];
}

function asBarrier(token: Token | undefined): void {
  if (token) token.isBarrier = true;
}

function findNumbers(said: Omit<Conversation, 'isOfNumber'>, kinds: readonly RuleKind[]): Hit[] {
  const { tokens } = said;
  const atoms = readAtoms(tokens);
  const isOfNumber = new Uint8Array(tokens.length);
  for (const { first, last } of atoms) isOfNumber.fill(1, first, last + 1);
  const conversation = { ...said, isOfNumber };
  const classify = createClassifier(conversation);
  const found: FoundNumber[] = [];
  let cardEnd = -1;
  const rest: Segment[] = [];
  for (const segment of readSegments(conversation, atoms)) {
    const kind = classify(segment).find((each) => kinds.includes(each));
    if (kind) {
      const isKept = mayBeKept(conversation, kind, segment, cardEnd);
      found.push({ kind, value: valueOf(kind, segment), isKept, segment });
      if (isCard(segment.digits)) cardEnd = lastOf(segment);
    } else rest.push(segment);
  }
  const all = [...found, ...findEchoes(conversation, found, rest)];
  return all.flatMap((number) => toHits(tokens, number, rangesOf(conversation, number.kind, number.segment)));
}

/** Number of last digits by which phone numbers are compared, without country code and prefix. */
const PHONE_DIGITS = 9;

function valueOf(kind: RuleKind, { digits, characters }: Segment): string {
  if (kind === 'phone') return digits.slice(-PHONE_DIGITS);
  return (kind === 'id' || kind === 'iban' ? characters : digits).slice(0, MAX_VALUE);
}

interface Range {
  first: number;
  last: number;
}

/** Returns the ranges of a number's parts, without other words and other speakers between them. */
function rangesOf({ tokens, isOfNumber }: Conversation, kind: RuleKind, { atoms }: Segment): Range[] {
  const ranges: Range[] = [];
  const isWanted = ({ digits }: Atom) => digits !== '' || kind === 'id' || kind === 'iban';
  for (const { first, last } of atoms.filter(isWanted)) {
    const current = ranges.at(-1);
    if (current && isOnePart(current.last, first)) current.last = last;
    else ranges.push({ first: startOf(first), last });
  }
  return ranges;

  function isOnePart(before: number, after: number): boolean {
    const between = tokens.slice(before + 1, after);
    const isPause = (token: Token, index: number) => isOfNumber[before + 1 + index] === 1 || !isSpokenWord(token);
    return tokens[before]?.turn === tokens[after]?.turn && between.every(isPause);
  }

  /** Returns the plus or bracket before a number. */
  function startOf(first: number): number {
    let start = first;
    while (opensNumber(start - 1)) start--;
    return start;
  }

  function opensNumber(index: number): boolean {
    const [token, next] = [tokens[index], tokens[index + 1]];
    return (
      token?.turn === next?.turn && (token?.isPlus === true || (token?.folded === '(' && next?.isAttached === true))
    );
  }
}

function toHits(
  tokens: readonly Token[],
  { kind, value, isKept }: Pick<Hit, 'kind' | 'value' | 'isKept'>,
  ranges: readonly Range[],
): Hit[] {
  return ranges.map(({ first, last }, index) => {
    const [begin, end] = [tokens[first], tokens[last]];
    const place = { turn: begin?.turn ?? 0, start: begin?.start ?? 0, end: end?.end ?? 0 };
    return { kind, value, isKept, isContinued: index > 0, ...place };
  });
}
