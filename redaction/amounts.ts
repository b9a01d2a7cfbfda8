/** Finds the numbers that are prices, quantities, dates and years. */
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
      isYear(tokens, atom, atoms[position + 1]) ||
      isBeforeUnit(tokens, atom) ||
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

const YEAR = /^(?:19|20)\d\d$/;

/** Returns whether the atom is a year: "since 2009". */
function isYear(tokens: readonly Token[], { first, last, digits }: Atom, next: Atom | undefined): boolean {
  const before = tokens[first - 1];
  const isBeforeYear = before?.isBeforeYear === true && before.turn === tokens[first]?.turn;
  return isBeforeYear && next?.first !== last + 1 && YEAR.test(digits);
}

/** Returns whether the atom is a group of a card, which no price has: "4111 1111 1111 1111 am I right?" */
const isInCard = (tokens: readonly Token[], atoms: readonly Atom[], position: number): boolean =>
  areGroups(tokens, atoms[position - 1], atoms[position]) || areGroups(tokens, atoms[position], atoms[position + 1]);

/** Cards are written in groups of four to six digits, with spaces or hyphens. */
const isGroup = ({ isSpoken, digits }: Atom) => !isSpoken && digits.length > 3 && digits.length < 7;

/** Returns whether two written groups of digits belong to the same number. */
function areGroups(tokens: readonly Token[], left: Atom | undefined, right: Atom | undefined): boolean {
  if (!left || !right || !isGroup(left) || !isGroup(right)) return false;
  if (tokens[left.last]?.turn !== tokens[right.first]?.turn) return false;
  const between = tokens.slice(left.last + 1, right.first);
  return between.length < 2 && between.every(({ emailSign, isWord }) => emailSign === '-' && !isWord);
}

function isBeforeUnit(tokens: readonly Token[], { last, digits }: Atom): boolean {
  if (digits === '') return false;
  const next = follows(tokens, last);
  return next?.isUnit === true;
}
