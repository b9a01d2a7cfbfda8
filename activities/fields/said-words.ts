/** Reads the words of folded text with their meaning, so that a quote can be compared with what was said. */
import type { Steps } from './in-slices.ts';
import { isOrdinal, isUzbekTen, readingsOf, valueOfNumeral } from './numerals.ts';

export interface SaidWord {
  /** In a form in which equal words are equal: `not` for any "n't", the first day of a weekday's forms. */
  text: string;
  /** Position in the folded text. */
  start: number;
  end: number;
  /** The ways to write a number of one or several words. */
  readings?: string[];
  /** Whether the number is an ordinal: "fifth" is not "five". Undefined for digits. */
  isOrdinal?: boolean | undefined;
  /** The word must be the same: it is a weekday, a month, a negation or has digits. */
  isKey?: boolean;
  /** The two words that it may be without its apostrophe: "were" is "we are", too. */
  apart?: string;
}

const listed = (words: string) => new Set(words.split(' '));

/** Longer words have no meaning here. */
const MAX_WORD = 40;

/** "n't" without its apostrophe. */
export const CONTRACTION =
  /^(?:(?:do|does|did|would|could|should|is|are|was|were|has|have|had|must|need|might)nt|cant|cannot|wont|shant)$/;
/** Without its apostrophe, as in "im" and "youll". "were", "well", "ill" and others are words of their own. */
const SHORT_VERB = /^(?<who>i|you|we|they|it|that|there|what|he|she)(?<verb>m|ve|re|ll|s|d)$/;
const OTHER_WORDS = listed('is were well ill hell shell id wed shed');
const VERBS: Readonly<Record<string, string>> = { m: 'am', ve: 'have', re: 'are', ll: 'will', s: 'is', d: 'would' };
const BASES: Readonly<Record<string, string>> = { cant: 'can', cannot: 'can', wont: 'will', shant: 'shall' };

/** Beginnings of weekdays and months. "marta" is "times" in Uzbek. */
const DATES =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may(?=(?:i?(?:da|ni|ning|ga|dan|gacha|siz)?)$)|june|july|august|september|october|' +
  'november|december|понедельник|вторник|сред(?=(?:[аеуы]|ой)$)|четверг|пятниц|суббот|воскресен|январ|феврал|март(?!а)|апрел|ма(?=[йяею](?:$|д|н))|июн|июл|август|' +
  'сентябр|октябр|ноябр|декабр|dushanba|seshanba|chorshanba|payshanba|juma|shanba|yakshanba|yanvar|fevral|mart(?!a)|aprel|iyun|iyul|avgust|sentabr|oktabr|noyabr|dekabr|' +
  'душанба|сешанба|чоршанба|пайшанба|жума|шанба|якшанба';
/** Endings that do not change the date. Unlike them, the Uzbek -dan, -gacha and -siz are "from", "until" and "without". */
const DATE_ENDINGS =
  '[аеуыияюйь]|[ое]м|[ое]й|[ая]м|[ая]ми|[ая]х|ь[еяю]|ьем|и[еяю]|й?(?:да|ни|нинг)|s?i?(?:da|ni|ning)?';
const DATE = new RegExp(`^(?:(?<date>${DATES})(?:${DATE_ENDINGS})?$|(?:${DATES}))`, 'u');

const PERCENT = /^(?:percent|процент|foiz|фоиз)/u;

/** Negations and conditions. */
const KEY_WORDS = new Set(
  (
    'no not nor never none nothing nobody without unless except hardly barely only if half almost нет не ни без нельзя никогда ничего никто ' +
    'никак если только кроме едва почти пол половина половину половины полтора полтораста yoq emas hech agar faqat yarim deyarli marta марта йўқ йуқ эмас ҳеч агар фақат ярим'
  ).split(' '),
);

const HAS_DIGIT = /\p{N}/u;
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/;

const UZBEK = /[ўқғҳ]/gu;
const RUSSIAN: Readonly<Record<string, string>> = { ў: 'у', қ: 'к', ғ: 'г', ҳ: 'х' };

const WORDS_PER_STEP = 64;

/** @param folded words separated by one space. */
export function* readWords(folded: string): Steps<SaidWord[]> {
  const words: SaidWord[] = [];
  let start = 0;
  const plain = folded.split(' ');
  for (let index = 0; index < plain.length; index++) {
    if (index % WORDS_PER_STEP === 0) yield;
    const text = plain[index] ?? '';
    const end = start + text.length;
    const count = lengthOfNumber(plain, index);
    if (count > 0) {
      const said = plain.slice(index, index + count).map((word) => word.replace(ORDINAL, '$1'));
      const last = start + plain.slice(index, index + count).join(' ').length;
      words.push({
        text: said.join(' '),
        start,
        end: last,
        readings: readingsOf(said),
        isOrdinal: isOrdinal(plain[index + count - 1] ?? ''),
      });
      index += count - 1;
      start = last + 1;
      continue;
    }
    if (text !== '') words.push(...toWords(text, start, end));
    start = end + 1;
  }
  return words;
}

function toWords(text: string, start: number, end: number): SaidWord[] {
  if (text.length > MAX_WORD) return [{ text, start, end }];
  if (CONTRACTION.test(text)) {
    const base = { text: BASES[text] ?? text.slice(0, -2), start, end };
    return [base, { text: 'not', start, end, isKey: true }];
  }
  const { who, verb = '' } = SHORT_VERB.exec(text)?.groups ?? {};
  if (who !== undefined && OTHER_WORDS.has(text)) return [{ text, start, end, apart: `${who} ${VERBS[verb] ?? ''}` }];
  if (who !== undefined) return [who, VERBS[verb] ?? ''].map((word) => ({ text: word, start, end }));
  if (PERCENT.test(text)) return [{ text: 'percent', start, end, isKey: true }];
  const date = DATE.exec(text);
  if (date) return [{ text: date.groups?.['date'] ?? text, start, end, isKey: true }];
  // Many keyboards have no letters of Uzbek.
  const written = text.replaceAll(UZBEK, (letter) => RUSSIAN[letter] ?? letter);
  return [{ text: written, start, end, ...((KEY_WORDS.has(text) || HAS_DIGIT.test(text)) && { isKey: true }) }];
}

/** Longer numbers are compared in parts. */
const MAX_NUMERALS = 24;

/** Returns the number of words from `index` that say numbers, with "and" after a hundred. */
function lengthOfNumber(words: readonly string[], index: number): number {
  let count = 0;
  while (count < MAX_NUMERALS) {
    const word = words[index + count] ?? '';
    if (isNumber(words, index + count)) count++;
    else if (word === 'and' && count > 0 && isHundred(words[index + count - 1]) && isNumber(words, index + count + 1))
      count += 2;
    else break;
  }
  return count;
}

const isHundred = (word = ''): boolean => (valueOfNumeral(word) ?? 0) >= 100;

const WRITTEN = /^\d{1,18}(?:st|nd|rd|th)?$/;

/** Returns whether a word is a number. The Uzbek "on" is one only beside another numeral, because it is an English word, too. */
function isNumber(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  if (WRITTEN.test(word)) return true;
  if (valueOfNumeral(word) === undefined) return false;
  if (word !== 'on') return true;
  const [before, after] = [words[index - 1] ?? '', words[index + 1] ?? ''];
  return [before, after].some(
    (beside) => !isUzbekTen(beside) && /^(?:bir|ikki|uch|tort|besh|olti|yetti|sakkiz|toqqiz|yuz|ming)/.test(beside),
  );
}

/** Words that quotes leave out or put in without another meaning. */
const FILLERS = listed(
  'um uh uhm er ah eh hmm well so like okay ok right just really actually basically please mean see a an the and that then now there here also ' +
    'ну вот это же и а так там тут вообще просто короче значит типа как бы то э ээ эээ эм мм ммм ваш ваша ваше ваши вашу вам ' +
    'xop xo mayli endi shu bu ana mana yani ham va esa demak хуп хоп майли энди шу бу ана мана яни хам ва эса демак',
);

/** Words that alone show nothing. */
const COMMON = listed(
  'i you he she it we they me him her us them my your its our their is am are was were be been do does did have has had will would can could of in ' +
    'on at by for with from as to or but if not no yes yeah what who how when where why this these those ' +
    'я ты он она оно мы вы они мне меня тебе вас нам нас их его ее был была было были есть в во на с со к ко у о об по за из от до для не нет но или ' +
    'если что кто где когда этот эта эти тот мой моя наш да ' +
    'men sen u biz siz ular menga bu edi bor yoq ha bilan uchun lekin yoki agar nima kim qayer мен сен у биз сиз улар бор йўқ ҳа билан учун лекин ёки агар нима ким',
);

export const isFiller = ({ text, isKey, readings }: SaidWord): boolean => !isKey && !readings && FILLERS.has(text);

/** Returns whether words can show something: not single letters, and not only words that are in every conversation. */
export const areEvidence = (folded: string): boolean =>
  folded
    .split(' ')
    .some(
      (word) =>
        HAS_DIGIT.test(word) || (word.length > 2 && !COMMON.has(word) && !FILLERS.has(word)) || isIdeograph(word),
    );

const isIdeograph = (word: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word);
