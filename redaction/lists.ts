/** Separates the values of a list: "90 123 45 67, 91 765 43 21". */
import { isCard, isIban, isPinfl, PASSPORT } from './checks.ts';
import { fits, labelsBefore, type Found } from './labels.ts';
import type { Atom, Conversation } from './types.ts';
import type { Token } from './tokens.ts';
import type { Label } from './words/words.ts';

/** Numbers are not written in groups this long, so two of them in a row are two numbers. */
const LONG_GROUP = 7;
/** Signs between groups at least this long separate numbers. Shorter groups may be parts of a card. */
const LISTED_DIGITS = 9;
/** Minimum length of groups that a word such as "codes" announces. Shorter ones are parts of one number. */
const ANNOUNCED_DIGITS = 4;
/** The longest value is an IBAN. */
const MAX_CHARACTERS = 34;
/** Numbers of passports and licenses of any country. */
const DOCUMENT = /^\p{Lu}{1,3}\d{6,9}$/u;
const SIGNS = new Set([',', ';', '/', '|', '•', '·', '&']);
const DASH = /^[-–—]$/;

/** Returns the parts of a number that are values of their own, or the whole number. @param hasPlus before the first atom. */
export function splitList(conversation: Conversation, atoms: Atom[], hasPlus: boolean): Atom[][] {
  const whole = charactersOf(atoms);
  if (atoms.length < 2 || hasCorrection(conversation, atoms)) return [atoms];
  const labels = labelsBefore(conversation, firstOf(atoms));
  const announced = labels.find(({ label }) => label !== 'number') ?? labels[0];
  const separated = groupsOf(conversation, atoms, separates);
  const isTooLong = announced !== undefined && !fits(announced.label, whole.length);
  const values = splitValues(conversation, atoms, hasPlus);
  const hasCard = values?.some((value) => isCard(charactersOf(value)));
  const short = isTooLong && !hasCard ? shortGroups(conversation, atoms, announced.label) : undefined;
  const areApart = separated.length > 1 && !isCard(whole) && areAnnounced(announced, separated);
  if (!short && !areApart && isValue(conversation, whole, hasPlus)) return [atoms];
  if (short || areApart || (separated.length > 1 && areValues(conversation, separated, hasPlus))) {
    return (short ?? separated).flatMap((group, index) => splitList(conversation, group, hasPlus && index === 0));
  }
  // A misheard IBAN can consist of digits that are phone numbers.
  const isOneIban = whole.length <= MAX_CHARACTERS && announced?.label === 'iban';
  return isOneIban ? [atoms] : (values ?? [atoms]);
}

/** Returns the values of a number that is too long for the word before it: "Codes: 4829, then 193847". */
function shortGroups(conversation: Conversation, atoms: readonly Atom[], label: Label): Atom[][] | undefined {
  // A word separates more surely than a comma, and that more surely than a space.
  return [(token: Token) => token.isConjunction === true, separates, () => true]
    .map((ends) => groupsOf(conversation, atoms, ends))
    .concat([atoms.filter(({ isSpoken }) => !isSpoken).map((atom) => [atom])])
    .find(
      (groups) =>
        groups.length > 1 &&
        groups.flat().length === atoms.length &&
        groups.every((group) => fits(label, digitsOf(group).length)),
    );
}

const charactersOf = (atoms: readonly Atom[]): string => atoms.map(({ characters }) => characters).join('');
const firstOf = (atoms: readonly Atom[]): number => atoms[0]?.first ?? 0;
const digitsOf = (atoms: readonly Atom[]): string => atoms.map(({ digits }) => digits).join('');

function isValue({ isPhone }: Conversation, characters: string, hasPlus: boolean): boolean {
  if (characters.length < LISTED_DIGITS - 2 || characters.length > MAX_CHARACTERS) return false;
  if (/\D/.test(characters)) return DOCUMENT.test(characters) || PASSPORT.test(characters) || isIban(characters);
  return isPhone(characters, hasPlus) || isCard(characters) || isPinfl(characters);
}

const hasCorrection = ({ tokens }: Conversation, atoms: readonly Atom[]): boolean =>
  atoms.some(({ first }, index) =>
    tokens.slice((atoms[index - 1]?.last ?? first) + 1, first).some(({ isCorrection }) => isCorrection),
  );

/** Returns whether a token separates values: a sign, a dash after a space, a new line, the number of a line, "and". */
const separates = (token: Token): boolean =>
  SIGNS.has(token.folded) ||
  (DASH.test(token.folded) && !token.isAttached) ||
  token.isOnNewLine === true ||
  token.isConjunction === true ||
  token.digits !== undefined;

function groupsOf({ tokens }: Conversation, atoms: readonly Atom[], ends: (token: Token) => boolean): Atom[][] {
  const isLong = ({ isSpoken, digits }: Atom) => !isSpoken && digits.length >= LONG_GROUP;
  const groups: Atom[][] = [];
  for (const atom of atoms) {
    const [group, before] = [groups.at(-1), groups.at(-1)?.at(-1)];
    const isApart =
      before !== undefined &&
      (tokens[atom.first]?.isOnNewLine === true ||
        (isLong(before) && isLong(atom)) ||
        tokens.slice(before.last + 1, atom.first).some(ends));
    if (group && !isApart) group.push(atom);
    else groups.push([atom]);
  }
  return groups;
}

/** Returns whether each group is a number, because it is long or valid. */
const areValues = (conversation: Conversation, groups: readonly Atom[][], hasPlus: boolean): boolean =>
  groups.every(
    (group, index) =>
      digitsOf(group).length >= LISTED_DIGITS || isValue(conversation, charactersOf(group), hasPlus && index === 0),
  );

/** Returns whether each group is a number as long as the word before the list announces. */
function areAnnounced(announced: Found | undefined, groups: readonly Atom[][]): boolean {
  if (!announced) return false;
  if (!groups.every((group) => group.length === 1 && group[0]?.isSpoken === false)) return false;
  const shortest = announced.label === 'ordinary' ? LONG_GROUP : ANNOUNCED_DIGITS;
  const isOneCard = announced.label === 'card' && fits('card', digitsOf(groups.flat()).length);
  return (
    !isOneCard &&
    groups.every(([{ digits } = { digits: '' }]) => digits.length >= shortest && fits(announced.label, digits.length))
  );
}

/** The code or the expiry date after a card. */
const AFTER_CARD = /^\d{3,8}$/;

/** Returns the values if the number consists of valid ones only; undefined otherwise. */
function splitValues(conversation: Conversation, atoms: readonly Atom[], hasPlus: boolean): Atom[][] | undefined {
  /** Where the value begins that ends before an atom. */
  const begins = new Map<number, number>([[0, 0]]);
  const afterCard = new Set<number>();
  for (let first = 0; first < atoms.length; first++) {
    if (!begins.has(first)) continue;
    let characters = '';
    for (let end = first + 1; end <= atoms.length && characters.length <= MAX_CHARACTERS; end++) {
      characters += atoms[end - 1]?.characters ?? '';
      if (isValue(conversation, characters, hasPlus && first === 0)) {
        if (!begins.has(end)) begins.set(end, first);
        if (isCard(characters)) afterCard.add(end);
      } else if (end === atoms.length && afterCard.has(first) && AFTER_CARD.test(characters)) begins.set(end, first);
    }
  }
  if (!begins.has(atoms.length)) return undefined;
  const values: Atom[][] = [];
  for (let end = atoms.length; end > 0; end = begins.get(end) ?? 0) values.unshift(atoms.slice(begins.get(end), end));
  return values;
}
