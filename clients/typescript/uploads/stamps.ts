/** Dates and times before a message, as chats and transcripts of many languages write them. */

const DATE = String.raw`\p{Nd}{1,4}[./-] ?\p{Nd}{1,2}[./-] ?\p{Nd}{2,4}\.?(?: ?(?:г|g|y)\.?(?=[\s,]))?`;
const WORD = String.raw`(?:klo|kl\.?|pukul|jam|um|at|a las|às|à|ore|saat|o|в|о|的)`;
const HALF = String.raw`(?:[AaPp]\.?[\s\u202f]?[Mm]\.?|[ÖöOo][ÖöSs]|ч\.?|Uhr|ق\.?ظ|م|ص|น\.)`;
const CLOCK = String.raw`(?:${WORD} )?(?:上午|下午|오전|오후)?\s?\p{Nd}{1,3}[:.]\p{Nd}{2}(?:[:.]\p{Nd}{2})?(?:[.,]\p{Nd}{1,6})?(?:[\s\u202f]?${HALF})?(?:Z|[\s]?[+-]\d\d:?\d\d)?`;
const DATED = String.raw`(?:${DATE}(?:[,،]?\s?|T)${CLOCK}|${CLOCK}[,،]?\s${DATE})`;
const MARKS = String.raw`[\s\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]*`;
const END = String.raw`(?:[\])]|(?=[\s,:|–—-]))\s?[-–—|,:]?(?:\s|$)`;

/** A date and a time, as they begin each message of a chat. */
const CHAT_STAMP = new RegExp(`^${MARKS}[[(]?${DATED}${END}`, 'u');
/** Any of both. */
const STAMP = new RegExp(`^${MARKS}[[(]?(?:${DATED}|${CLOCK}|${DATE})${END}`, 'u');
const ISO = /^[[(]?\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?[\])]?[,:]?\s/;

/** Returns what follows the date and time of a message, or undefined if the line does not begin with both. */
export const afterChatStamp = (line: string): string | undefined => rest(line, CHAT_STAMP) ?? rest(line, ISO);

/** Returns the line without a date or time at its beginning. */
export const withoutStamp = (line: string): string => rest(line, ISO) ?? rest(line, STAMP) ?? line;

function rest(line: string, stamp: RegExp): string | undefined {
  const [found] = stamp.exec(line) ?? [];
  return found === undefined ? undefined : line.slice(found.length);
}
