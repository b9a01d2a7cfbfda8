/** Finds repetitions of numbers that were found: the whole number anywhere, or a part of it soon after. */
import type { Conversation, Segment } from './segments.ts';
import { firstOf, lastOf } from './segments.ts';
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
  { tokens, speakers }: Conversation,
  found: readonly FoundNumber[],
  rest: readonly Segment[],
): FoundNumber[] {
  const turnOf = (index: number) => tokens[index]?.turn ?? 0;
  const byDigits = new Map(found.map((number) => [number.segment.digits, number]));
  let next = 0;

  function isEcho({ segment: other }: FoundNumber, segment: Segment): boolean {
    const [first, otherFirst] = [turnOf(firstOf(segment)), turnOf(firstOf(other))];
    const distance = Math.max(first - turnOf(lastOf(other)), otherFirst - turnOf(lastOf(segment)));
    const isShort = segment.digits.length === SHORTEST_PART;
    if (distance > (isShort ? 1 : MAX_TURNS) || (isShort && speakers[first] === speakers[otherFirst])) return false;
    return repeats(other.digits.slice(0, MAX_VALUE), segment.digits);
  }

  return rest.flatMap((segment) => {
    for (; next < found.length; next++) {
      const number = found[next];
      if (number && firstOf(number.segment) > firstOf(segment)) break;
    }
    const near = found.slice(Math.max(0, next - NEIGHBORS), next + NEIGHBORS);
    const source =
      (segment.digits.length < MIN_VALUE ? undefined : byDigits.get(segment.digits)) ??
      near.findLast((number) => isEcho(number, segment));
    return source ? [{ ...source, segment }] : [];
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
