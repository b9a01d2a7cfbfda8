/** Finds what a speaker repeats of a number that was found: all of it, or a part soon after. */
import type { Conversation, Segment } from './segments.ts';
import { firstOf, lastOf } from './segments.ts';
import type { RuleKind } from './types.ts';

export interface FoundNumber {
  kind: RuleKind;
  value: string;
  segment: Segment;
}

/** Turns between a number and a repeated part of it. */
const MAX_TURNS = 3;
const MIN_PART = 3;
/** A part that long may have one wrong digit. */
const MIN_MISHEARD_PART = 4;
const MIN_VALUE = 6;
/** Numbers found before and after a segment that are compared with it. Bounds the work. */
const NEIGHBORS = 6;

export function findEchoes(
  conversation: Conversation,
  found: readonly FoundNumber[],
  rest: readonly Segment[],
): FoundNumber[] {
  const turnOf = (index: number) => conversation.tokens[index]?.turn ?? 0;
  const byValue = new Map(found.map((number) => [number.value, number]));
  let next = 0;
  return rest.flatMap((segment) => {
    const whole = segment.digits.length >= MIN_VALUE ? byValue.get(segment.digits) : undefined;
    while (next < found.length && firstOf((found[next] as FoundNumber).segment) < firstOf(segment)) next++;
    const near = found.slice(Math.max(0, next - NEIGHBORS), next + NEIGHBORS).filter(({ segment: other }) => {
      const after = turnOf(firstOf(segment)) - turnOf(lastOf(other));
      const before = turnOf(firstOf(other)) - turnOf(lastOf(segment));
      return Math.max(after, before) <= MAX_TURNS;
    });
    const source = whole ?? near.findLast(({ value }) => repeats(value, segment.digits));
    return source ? [{ ...source, segment }] : [];
  });
}

/** Returns whether `part` is a part of `value`, but for one misheard digit. */
function repeats(value: string, part: string): boolean {
  if (part.length < MIN_PART || value.length < MIN_VALUE) return false;
  const allowed = part.length >= MIN_MISHEARD_PART ? 1 : 0;
  for (let start = 0; start + part.length <= value.length; start++) {
    let wrong = 0;
    for (let index = 0; index < part.length && wrong <= allowed; index++) {
      if (value[start + index] !== part[index]) wrong++;
    }
    if (wrong <= allowed) return true;
  }
  return false;
}
