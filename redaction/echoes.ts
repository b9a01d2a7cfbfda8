/** Finds repetitions of numbers that were found: the whole number anywhere, or a part of it soon after. */
import type { Conversation } from './types.ts';
import { firstOf, isWholeTurn, lastOf, type Segment } from './segments.ts';
import type { RuleKind } from '../contract/values/redaction-kinds.ts';

export interface FoundNumber {
  kind: RuleKind;
  /** The original may be stored. */
  isKept: boolean;
  value: string;
  segment: Segment;
}

/** Maximum distance in turns between a number and a repeated part of it. */
const MAX_TURNS = 3;
/** Minimum length of a repeated part. A part this short counts only if the other speaker repeats it immediately. */
const SHORTEST_PART = 3;
const MIN_VALUE = 6;
/** Longer numbers are not personal numbers. Only their beginning is compared. */
export const MAX_VALUE = 64;
/** How many of the found numbers before and after a segment are compared with it. Limits the processing time. */
const NEIGHBORS = 6;

export function findEchoes(
  conversation: Conversation,
  found: readonly FoundNumber[],
  rest: readonly Segment[],
): FoundNumber[] {
  const { tokens, speakers } = conversation;
  const turnOf = (index: number) => tokens[index]?.turn ?? 0;
  const byDigits = new Map(found.map((number) => [number.segment.digits, number]));
  let next = 0;
  const saidByTurn = new Map(found.map(({ segment }) => [segment, splitByTurn(segment)]));

  function isEcho({ segment: other }: FoundNumber, segment: Segment): boolean {
    const [first, otherFirst] = [turnOf(firstOf(segment)), turnOf(firstOf(other))];
    const distance = Math.max(first - turnOf(lastOf(other)), otherFirst - turnOf(lastOf(segment)));
    if (repeatsAtOnce(saidByTurn.get(other), segment)) return true;
    const isShort = segment.digits.length === SHORTEST_PART;
    if (distance > (isShort ? 1 : MAX_TURNS) || (isShort && speakers[first] === speakers[otherFirst])) return false;
    return repeats(other.digits.slice(0, MAX_VALUE), segment.digits);
  }

  /** Returns whether a turn says only what the other speaker has just said of the number: "forty?" */
  function repeatsAtOnce(said: Segment[] | undefined, segment: Segment): boolean {
    const turn = turnOf(firstOf(segment));
    const before = said?.find((part) => turnOf(firstOf(part)) === turn - 1)?.digits;
    const isEcho = before?.slice(0, MAX_VALUE).includes(segment.digits) === true;
    return isEcho && speakers[turn] !== speakers[turn - 1] && isWholeTurn(conversation, segment);
  }

  /** The parts of a segment that other turns separate. Each can be a repetition. */
  function splitByTurn({ atoms: all }: Segment): Segment[] {
    const turns = Map.groupBy(all.slice(0, MAX_VALUE), ({ first }) => turnOf(first));
    return [...turns.values()].map((atoms) => ({
      atoms,
      digits: atoms.map(({ digits }) => digits).join(''),
      characters: atoms.map(({ characters }) => characters).join(''),
    }));
  }

  function sourceOf(segment: Segment): FoundNumber | undefined {
    for (; next < found.length; next++) {
      const number = found[next];
      if (number && firstOf(number.segment) > firstOf(segment)) break;
    }
    const near = found.slice(Math.max(0, next - NEIGHBORS), next + NEIGHBORS);
    const whole = segment.digits.length < MIN_VALUE ? undefined : byDigits.get(segment.digits);
    return whole ?? near.findLast((number) => isEcho(number, segment));
  }

  return rest.flatMap((segment) => {
    const source = sourceOf(segment);
    if (source) return [{ ...source, segment }];
    return splitByTurn(segment).flatMap((part) => {
      const own = sourceOf(part);
      return own ? [{ ...own, segment: part }] : [];
    });
  });
}

/** Returns whether `part` is a part of `value`. One digit may differ, because it may be misheard. */
function repeats(value: string, part: string): boolean {
  if (part.length < SHORTEST_PART || value.length < MIN_VALUE) return false;
  const allowed = part.length > SHORTEST_PART ? 1 : 0;
  for (let start = 0; start + part.length <= value.length; start++) {
    let wrong = 0;
    for (let index = 0; index < part.length && wrong <= allowed; index++) {
      if (value[start + index] !== part[index]) wrong++;
    }
    if (wrong <= allowed) return true;
  }
  return false;
}
