/** Finds the numbers that are prices, quantities, dates and years. */
import { CARD_DIGITS } from './checks.ts';
import { follows, type Token } from './tokens.ts';
import type { Atom } from './types.ts';

/** Limit of groups of three digits before the last group of a written amount. */
const MAX_THOUSANDS = 3;
/** A longer number is never an amount, even before a unit. */
const MAX_AMOUNT_DIGITS = 9;
const CURRENCY = /^[$€£₽]$/u;

/** Marks numbers before a unit or after a currency sign as amounts, including all their groups of digits: `18 790 rubles`. */
export function markAmounts(tokens: readonly Token[], atoms: readonly Atom[]): void {
  atoms.forEach((atom, position) => {
    if (atom.digits.length > MAX_AMOUNT_DIGITS || isInCard(tokens, atoms, position)) atom.isAmount = false;
    else if (
      isYear(tokens, atoms, position) ||
      isBeforeUnit(tokens, atom) ||
      isMillions(atoms, position) ||
      CURRENCY.test(tokens[atom.first - 1]?.folded ?? '')
    )
      atom.isAmount = true;
    if (!atom.isAmount || atom.isSpoken) return;
    for (let at = position; at > 0 && at > position - MAX_THOUSANDS; at--) {
      const [current, before] = [atoms[at], atoms[at - 1]];
      if (!current || !before || current.digits.length !== 3 || before.digits.length > 3) return;
      if (before.isSpoken || before.digits === '' || before.last !== current.first - 1) return;
      if (tokens[before.last]?.turn !== tokens[current.first]?.turn) return;
      before.isAmount = true;
    }
  });
}

/** Returns whether the atom ends a price without a unit: "за 4 000 000". */
const isMillions = (atoms: readonly Atom[], position: number): boolean =>
  [0, 1].every((back) => atoms[position - back]?.digits === '000') &&
  !joins(atoms[position] as Atom, atoms[position + 1]);

/** "followed by 1938" is not a year. */
const BEFORE_VALUE = new Set(['followed', 'вместе', 'наряду']);
const YEAR = /^(?:19|20)\d\d$/;

/** Returns whether the atom is a year or a part of one: "since 2009", "in twenty nineteen". */
function isYear(tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean {
  const [before, atom, next] = [atoms[position - 1], atoms[position], atoms[position + 1]];
  if (!atom) return false;
  if (BEFORE_VALUE.has(tokens[atom.first - 2]?.folded ?? '')) return false;
  if (tokens[atom.first - 1]?.isBeforeYear && tokens[atom.first - 1]?.turn === tokens[atom.first]?.turn) {
    const isOnce = !next || next.first !== atom.last + 1;
    if (isOnce) return YEAR.test(atom.digits);
    return (
      atom.isSpoken &&
      next.digits.length === 2 &&
      YEAR.test(atom.digits + next.digits) &&
      !joins(next, atoms[position + 2])
    );
  }
  return before?.isAmount === true && joins(before, atom) && YEAR.test(before.digits + atom.digits) && before.isSpoken;
}

const joins = (left: Atom, right: Atom | undefined): boolean => right?.first === left.last + 1;

/** Returns whether the atom is a group of a number as long as a card's: "4111 1111 1111 1111 am I right?". Its first groups can be spoken. */
export function isInCard(tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean {
  let digits = atoms[position]?.digits.length ?? 0;
  let [first, last] = [position, position];
  const add = (index: number) => (digits += atoms[index]?.digits.length ?? 0);
  // It stops at a card's length, which keeps the search linear.
  while (digits < CARD_DIGITS && areGroups(tokens, atoms[last], atoms[last + 1])) add(++last);
  while (digits < CARD_DIGITS && areGroups(tokens, atoms[first - 1], atoms[first])) add(--first);
  while (digits < CARD_DIGITS && isSpokenBefore(tokens, atoms[first - 1], atoms[first])) add(--first);
  return digits >= CARD_DIGITS;
}

/** Cards are written in groups of four to six digits, with spaces or hyphens. */
const isGroup = ({ isSpoken, digits }: Atom) => !isSpoken && digits.length > 3 && digits.length < 7;

/** Returns whether two written groups of digits belong to the same number. */
function areGroups(tokens: readonly Token[], left: Atom | undefined, right: Atom | undefined): boolean {
  if (!left || !right || !isGroup(left) || !isGroup(right)) return false;
  if (tokens[left.last]?.turn !== tokens[right.first]?.turn) return false;
  const between = tokens.slice(left.last + 1, right.first);
  return between.length < 2 && between.every(({ emailSign, isWord }) => emailSign === '-' && !isWord);
}

/** Returns whether `left` is spoken and directly before `right`. */
const isSpokenBefore = (tokens: readonly Token[], left: Atom | undefined, right: Atom | undefined): boolean =>
  left?.isSpoken === true && left.last + 1 === right?.first && tokens[left.last]?.turn === tokens[right.first]?.turn;

function isBeforeUnit(tokens: readonly Token[], { last, digits }: Atom): boolean {
  if (digits === '') return false;
  const next = follows(tokens, last);
  if (next?.isUnit) return true;
  return next?.emailSign === '-' && !next.isWord && follows(tokens, last + 1)?.isUnit === true;
}
