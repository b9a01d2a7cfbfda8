/** Reads numbers that are said in words or written in digits, so that both can be compared. All words are folded. */

/** Beginnings of numerals by value; a space separates them. Endings are checked. */
const STEMS: Readonly<Record<number, string>> = {
  0: 'zero ноль нол нуль нул nol нол',
  1: 'one first один одн перв bir бир',
  2: 'two second два две двух двум двумя втор ikki икки',
  3: 'three third три трех трем тремя трет uch уч',
  4: 'four четыр четверт tort торт turt турт тўрт',
  5: 'five fifth пят besh беш',
  6: 'six шест olti олти',
  7: 'seven сем семь седьм yetti etti етти',
  8: 'eight eighth восем восьм sakkiz саккиз',
  9: 'nine ninth девят toqqiz туққиз тўққиз',
  10: 'ten десят on ўн',
  11: 'eleven одиннадцат',
  12: 'twelve twelfth двенадцат',
  13: 'thirteen тринадцат',
  14: 'fourteen четырнадцат',
  15: 'fifteen пятнадцат',
  16: 'sixteen шестнадцат',
  17: 'seventeen семнадцат',
  18: 'eighteen восемнадцат',
  19: 'nineteen девятнадцат',
  20: 'twenty twentieth двадцат yigirma йигирма',
  30: 'thirty thirtieth тридцат ottiz ўттиз',
  40: 'forty fortieth сорок сороков qirq қирқ',
  50: 'fifty fiftieth пятьдесят пятидесят ellik эллик',
  60: 'sixty sixtieth шестьдесят шестидесят oltmish олтмиш',
  70: 'seventy seventieth семьдесят семидесят yetmish etmish етмиш',
  80: 'eighty eightieth восемьдесят восьмидесят sakson саксон',
  90: 'ninety ninetieth девяност toqson тўқсон туқсон',
  100: 'hundred сто ста сот сотн yuz юз',
  200: 'двест двухсот',
  300: 'трист трехсот',
  400: 'четырест четырехсот',
  500: 'пятьсот пятисот',
  600: 'шестьсот шестисот',
  700: 'семьсот семисот',
  800: 'восемьсот восьмисот',
  900: 'девятьсот девятисот',
  1000: 'thousand тысяч тысячн ming минг',
  1_000_000: 'million миллион',
  1_000_000_000: 'billion миллиард milliard',
};

const VALUES = new Map(
  Object.entries(STEMS).flatMap(([value, stems]) => stems.split(' ').map((stem) => [stem, Number(value)] as const)),
);

/** Endings of Russian cases and ordinals, of English ordinals, and of Uzbek cases, ordinals and counts. */
const ENDINGS = new Set(
  (
    'th s ь и ю я е а у ы о ью ья ье ьи ый ий ой ая ое ые ую ых их ым ом ем ей ого ому его ему ьего ьему ьем ьей ами ах ыми емя ' +
    'inchi nchi ta tasi tadan da dagi dan ga gacha ni ning lab инчи нчи та таси да даги дан га гача ни нинг'
  ).split(' '),
);
const LONGEST_ENDING = 5;
const MAX_ENDINGS = 2;
const MAX_NUMERAL = 24;

/** Ten, which in English is a preposition, and is followed by a smaller number only in Uzbek. */
const UZBEK_TEN = /^(?:on|ўн)/u;

/** Returns the value of a numeral in any form: "fifteenth", "пятнадцатого", "beshda". */
export function valueOfNumeral(word: string, endings = MAX_ENDINGS): number | undefined {
  const value = word.length > MAX_NUMERAL ? undefined : VALUES.get(word);
  if (value !== undefined || endings === 0 || word.length > MAX_NUMERAL) return value;
  for (let length = 1; length <= LONGEST_ENDING && length < word.length - 1; length++) {
    if (!ENDINGS.has(word.slice(-length))) continue;
    const found = valueOfNumeral(word.slice(0, -length), endings - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const ORDINAL =
  /(?:st|nd|rd|th)$|^(?:first|second|third)$|^(?:перв|втор|трет|седьм)|^(?!одн|милл).*(?:[оы]й|ая|ое|ого|ому|ым|ом|ую|ы[ех]|ыми)$|inchi|нчи/u;
const PLAIN_DIGITS = /^\d+$/;

/** Returns whether the last word of a number makes it an ordinal; undefined for digits, which can be read either way. */
export const isOrdinal = (word: string): boolean | undefined =>
  PLAIN_DIGITS.test(word) ? undefined : ORDINAL.test(word.slice(0, MAX_NUMERAL));

export const isUzbekTen = (word: string): boolean => UZBEK_TEN.test(word);

interface Part {
  value: number;
  /** Written in digits; null: in words. */
  digits: string | null;
  isTen?: boolean;
}

const DIGITS = /^\d{1,18}$/;

/** Returns the numbers that words say, such as 184500 of "one hundred eighty four thousand five hundred" and of "184 500". */
export function readNumbers(words: readonly string[]): Part[] {
  const parts: Part[] = [];
  /** Of the last number: what precedes the thousands, and the smallest thousand so far. */
  let done = 0;
  let room = Infinity;
  for (const word of words) {
    const isWritten = DIGITS.test(word);
    const value = isWritten ? Number(word) : valueOfNumeral(word);
    if (value === undefined) continue;
    const last = parts.at(-1);
    const small = last ? last.value - done : 0;
    if (last && !isWritten && value >= 1000 && value < room && small > 0) {
      done += small * value;
      room = value;
      last.value = done;
      last.digits = null;
    } else if (last?.digits === null && isWritten && done > 0 && last.value === done && value < room) {
      // "25 thousand 500"
      last.value += value;
    } else if (last && continues(last, small, { value, digits: isWritten ? word : null })) {
      last.value += value === 100 && small > 0 ? small * 99 : value;
      if (last.digits !== null && isWritten) {
        last.value = Number(last.digits + word);
        last.digits += word;
      }
      last.isTen = value === 10 && isUzbekTen(word);
    } else {
      parts.push({ value, digits: isWritten ? word : null, isTen: isUzbekTen(word) });
      done = value >= 1000 && !isWritten ? value : 0;
      room = done > 0 ? value : Infinity;
    }
  }
  return parts;
}

/** Returns whether a numeral continues a number, of which `small` are less than a thousand. */
function continues(last: Part, small: number, { value, digits }: Part): boolean {
  if (digits !== null)
    return last.digits !== null && digits.length === 3 && /^[1-9]\d{0,2}(?:\d{3})*$/.test(last.digits);
  // "one zero four" is no 14.
  if (last.digits !== null || last.value === 0 || value >= 1000) return false;
  if (value === 100) return small < 10;
  if (value > 100) return small === 0;
  if (value >= 10) return small % 100 === 0 && (small > 0 || last.value > 0);
  if (value === 0) return false;
  return small % 100 === 0 || (small % 10 === 0 && (small % 100 >= 20 || last.isTen === true));
}

/** Digits of documents and phones can be grouped in any way. Shorter ones can be decimals or times. */
const ANY_GROUPS = 6;

/** Returns the ways to write the numbers that words say. Numbers are the same if they have one in common. */
export function readingsOf(words: readonly string[]): string[] {
  const parts = readNumbers(words);
  const texts = parts.map(({ value, digits }) => digits ?? String(value));
  const together = texts.join('');
  const areWords = parts.every(({ digits }) => digits === null);
  const areDigits = parts.every(({ digits }) => digits !== null);
  return areWords || (areDigits && together.length >= ANY_GROUPS) ? [texts.join(' '), together] : [texts.join(' ')];
}

const FRACTION = /^(?:and (?:a |one )?(?:half|quarter)|with a half|с половиной|с четвертью|целых)(?: |$)/u;
const HALF = /^(?:yarim|ярим|point)$/u;
/** Days and months, hours and minutes, or decimals. */
const SHORT_DIGITS = /^\d{1,2} \d{1,2}$/;

/** Returns whether a number continues from one folded text into the next: "five hundred", "and twenty"; "1 250", "000". */
export function isWithinNumber(before: string, after: string): boolean {
  const left = before.trim().replace(/ and$/, '').split(' ').at(-1) ?? '';
  const [right = ''] = after.trim().replace(/^and /, '').split(' ', 1);
  const isOne = (...words: string[]) => readNumbers(words).length === 1;
  return (
    FRACTION.test(after) ||
    SHORT_DIGITS.test(`${left} ${right}`) ||
    (isOne(left) && (HALF.test(right) || (isOne(right) && isOne(left, right))))
  );
}
