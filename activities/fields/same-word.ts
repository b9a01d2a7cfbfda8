/** Decides whether a word of a quote is a misspelled form of a word that was said, and not another word. */
import english from 'dictionary-en';
import type { SaidWord } from './said-words.ts';

/** Shorter words must be the same, because one letter makes another word of them. */
const SHORTEST_MISSPELLED = 5;
const LENGTH_OF_TWO_SLIPS = 9;
const MAX_WORD = 40;

/** Letters that recognizers and people exchange. All other exchanged letters make another word: "lived" and "loved". */
const ALIKE = 'ae ei iy ou оа еи ыи яе эе ую bпбp dтдt gгкk kqкқ sczзсц vфвfw жшщ hхҳx ўу ўо ғг'.split(' ');

/** Beginnings that make a word's contrary, or another word, of the rest. */
const PREFIXES = new Set(
  (
    'un in im il ir dis re de ex e en out over under mis non pre pro post inter intra hyper hypo ma mi up down on off ' +
    'до за от под над при про пере пре не недо в во вы вз у с со раз рас роз об о без бес по ис из на ' +
    'no be но бе'
  ).split(' '),
);

/** Parts that only one of two words has, so that they say the contrary: an Uzbek negation or question, "without", "-less" and "-ful". */
const CONTRARIES = [
  /ma(?:di|ng|[ygsbp]|$)|ма(?:ди|нг|[йягсбп]|$)/u,
  /m[iı]$|ми$/u,
  /s[iı]?z|с[иыі]?з/u,
  /less/,
  /ful/,
  /^не/u,
];

/** Returns the number of slips between two words; undefined if they are different words. */
export function slipsBetween(said: SaidWord, quoted: SaidWord): number | undefined {
  if (said.readings || quoted.readings) {
    const isOther = said.isOrdinal !== undefined && quoted.isOrdinal === !said.isOrdinal;
    return !isOther && said.readings?.some((reading) => quoted.readings?.includes(reading)) ? 0 : undefined;
  }
  const [a, b] = [said.text, quoted.text];
  if (a === b) return 0;
  const shortest = Math.min(a.length, b.length);
  if (said.isKey || quoted.isKey || shortest < SHORTEST_MISSPELLED || !soundAlike(a[0] ?? '', b[0] ?? ''))
    return undefined;
  const allowed = shortest >= LENGTH_OF_TWO_SLIPS ? 2 : 1;
  if (Math.abs(a.length - b.length) > allowed || Math.max(a.length, b.length) > MAX_WORD) return undefined;
  const slips = countSlips(a, b, allowed);
  return slips === undefined || areContraries(a, b) || (isEnglish(a) && isEnglish(b)) ? undefined : slips;
}

let englishWords: Set<string> | undefined;

/** Returns whether this is the basic form of an English word, so it is a word of its own, not a misspelling: "trail" and "trial" differ. */
function isEnglish(word: string): boolean {
  englishWords ??= new Set(
    new TextDecoder()
      .decode(english.dic)
      .split('\n')
      .map((line) => line.split('/', 1)[0] ?? ''),
  );
  return englishWords.has(word);
}

function areContraries(a: string, b: string): boolean {
  if (CONTRARIES.some((part) => part.test(a) !== part.test(b))) return true;
  let end = 0;
  while (end < Math.min(a.length, b.length) && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [first, second] = [a.slice(0, a.length - end), b.slice(0, b.length - end)];
  const isPrefix = (text: string) => text === '' || PREFIXES.has(text);
  return isPrefix(first) && isPrefix(second);
}

/** Counts letters that are left out, added, exchanged with their neighbor or with a letter that sounds alike. */
function countSlips(a: string, b: string, allowed: number): number | undefined {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length + right.length === 1) return 1;
  if (allowed < 1) return undefined;
  if (left.length === 1 && right.length === 1) return soundAlike(left, right) ? 1 : undefined;
  if (left.length === 2 && right === [...left].reverse().join('')) return 1;
  if (allowed < 2) return undefined;
  // Two slips: the first one ends where the rest has one slip.
  const rests: [string, string][] = [
    [left.slice(1), right],
    [left, right.slice(1)],
    ...(soundAlike(left[0] ?? '', right[0] ?? '') ? ([[left.slice(1), right.slice(1)]] as [string, string][]) : []),
  ];
  return rests.some(([x, y]) => x === y || countSlips(x, y, 1) !== undefined) ? 2 : undefined;
}

const soundAlike = (a: string, b: string): boolean =>
  a === b || ALIKE.some((letters) => letters.includes(a) && letters.includes(b));
