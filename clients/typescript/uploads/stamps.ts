/**
 * Dates and times before a message, as chats and transcripts of all languages write them. The words of half-days and those before a
 * time are a rule, not a list, where a bracket or a dash ends the stamp.
 */

/** The longest stamp, with its end. */
const MAX_STAMP = 100;
/** Marks without a picture: direction, byte order, soft hyphen, zero width. Joiners belong to words and stay. */
const INVISIBLE = String.raw`[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]`;
const MARK = new RegExp(INVISIBLE, 'u');
const MARKS = new RegExp(INVISIBLE, 'gu');

const APART = String.raw`\s?[./年月년월-]\s?`;
const DAY = String.raw`\p{Nd}{1,2}`;
/** The year is the first or the last number. Only the year can be longer than two digits. */
const DATE = String.raw`(?:${DAY}${APART}${DAY}(?:${APART}|\s)\p{Nd}{2,4}|\p{Nd}{2,4}${APART}${DAY}${APART}${DAY})[.日일]?`;
const TIME = String.raw`\p{Nd}{1,3}(?:[:.]|\s?h\s?)\p{Nd}{2}(?:\s?min)?(?:(?:[:.]|\s(?=\p{Nd}{2}\s?s))\p{Nd}{2}(?:\s?s)?)?(?:[.,]\p{Nd}{1,9})?`;
const ZONE = String.raw`(?:Z|\s?[+-]\d\d:?\d\d)?`;

const WORD = String.raw`[\p{L}\p{M}.'’ʻ·\u0f0b\u200c\u200d-]{1,16}`;
const WORDS = String.raw`(?:${WORD}(?:\s${WORD}){0,2})`;
/** The name of the month comes before or after the day. */
const NAMED = String.raw`(?:${DAY}[\s.-]{1,2}${WORD}|${WORD}\s${DAY})[\s.,-]{1,2}\p{Nd}{2,4}`;
const ANY_DATE = String.raw`(?:(?:${WORD}\s)?${DATE}|${NAMED})(?:\s?${WORD})?`;
const ANY_TIME = String.raw`(?:${WORDS}\s?)?(?:${TIME}|\p{Nd}{1,2}(?::\p{Nd}{1,2}){1,2})(?:\s?${WORDS})?${ZONE}`;
/** Basque writes the time in parentheses. */
const BODY = String.raw`(?:${ANY_DATE}(?:[,،]?\s{0,2}|T)(?:${ANY_TIME}|\(${ANY_TIME}\))|${ANY_TIME}[,،]?\s${ANY_DATE})`;
/** A stamp that a bracket or a dash ends. In a bracket, the time of an edit can follow a bar. */
const CLOSED = new RegExp(String.raw`^\s*(?:[[(]${BODY}(?:\s\|[^\])]{1,40})?[\])]|${BODY}\s[-–—])(?:\s|$)`, 'u');

const BEFORE = String.raw`(?:klo|kl\.?|pukul|jam|um|at|a las|às|à|ore|saat|o|в|о|的)`;
const HALF = String.raw`(?:[AaPp]\.?\s?[Mm]\.?|[ÖöOo][ÖöSs]|ч\.?|Uhr|ق\.?ظ|م|ص|น\.)`;
const YEAR = String.raw`(?: ?(?:г|g|y)\.?(?=[\s,]))?`;
const CLOCK = String.raw`(?:${BEFORE} )?(?:上午|下午|오전|오후)?\s?${TIME}(?:\s?${HALF})?${ZONE}`;
const DATED = String.raw`(?:${DATE}${YEAR}(?:[,،]?\s?|T)${CLOCK}|${CLOCK}[,،]?\s${DATE})`;
const END = String.raw`(?:[\])]|(?=[\s,:|–—-]))\s?[-–—|,:]?(?:\s|$)`;

/** A date and a time, as they begin each message of a chat. */
const CHAT_STAMP = new RegExp(String.raw`^\s*[[(]?${DATED}${END}`, 'u');
/** Any of both. */
const STAMP = new RegExp(String.raw`^\s*[[(]?(?:${DATED}|${CLOCK}|${DATE}${YEAR})${END}`, 'u');

/** Returns what follows the date and time of a message, or undefined if the line does not begin with both. */
export const afterChatStamp = (line: string): string | undefined => rest(line, [CLOSED, CHAT_STAMP]);

/** Returns the line without a date or time at its beginning. */
export const withoutStamp = (line: string): string => rest(line, [CLOSED, STAMP]) ?? line;

/** Returns the name without invisible marks, and without the tilde before a person who is not in the address book. */
export const cleanName = (name: string): string =>
  name
    .replaceAll(MARKS, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^~\s?(?=\S)/, '');

/** Compares without marks, which can stand between any two characters of a stamp. */
function rest(line: string, stamps: readonly RegExp[]): string | undefined {
  let head = line.slice(0, MAX_STAMP);
  if (!/\p{Nd}/u.test(head)) return undefined;
  let places: number[] | undefined;
  if (MARK.test(head)) {
    places = Array.from({ length: head.length }, (_, place) => place).filter((place) => !MARK.test(head.charAt(place)));
    head = places.map((place) => line.charAt(place)).join('');
  }
  for (const stamp of stamps) {
    const [found] = stamp.exec(head) ?? [];
    if (found !== undefined) return line.slice(places ? (places[found.length] ?? MAX_STAMP) : found.length);
  }
  return undefined;
}
