/** Reads mails as text: a block of header lines, a blank line, and what the sender wrote. Later blocks start further mails. */
import type { TurnInput } from './turn-input.ts';
import type { Read } from './read-text.ts';
import { cleanName } from './stamps.ts';

const HEADER = /^>?\s?\*?(\p{L}[\p{L}\p{M} -]{0,30}?)\s?[:：]\*?(?:\s+(\S.*)|\s*)$/su;
// cspell:words lähettäjä feladó saatja kimden kimdan
/** Mail programs translate the names of headers. */
const SENDER =
  /^(?:from|von|de|da|din|från|fra|van|od|lähettäjä|feladó|saatja|kimden|kimdan|от|от кого|від|від кого|кімнен|من|מאת|发件人|寄件者|差出人|보낸 사람|จาก|từ|dari|od kogo)$/iu;
const ADDRESS = /[^\s@<>"]{1,64}@[^\s@<>"]{1,255}/;
/** Only an address, or a name with one: nothing else that a person says. */
const MAILBOX = /^(?:[^@<>]{0,128}<[^\s@<>"]{1,64}@[^\s@<>"]{1,255}>|[^\s@<>"]{1,64}@[^\s@<>"]{1,255})\s*$/;
/** The line before the headers of a quoted mail: "-----Original Message-----", or a line of underscores. */
const SEPARATOR = /^[-_]{4,80}[^-_]{0,64}[-_]{0,80}$/;
const MIN_HEADERS = 3;
/** Lines of a block. A limit, because a hostile text could begin a block at each line. */
const MAX_LINES = 100;

/** Returns undefined for other text, as it is without a sender's address in the header lines at the beginning. */
export function readMail(text: string): Read | undefined {
  const lines = text.split('\n');
  const turns: TurnInput[] = [];
  let index = lines.findIndex((line) => line.trim() !== '');
  while (index >= 0 && index < lines.length) {
    const block = readBlock(lines, index);
    const last = turns.at(-1);
    const line = lines[index] ?? '';
    if (block) turns.push({ role: block.sender, text: '' });
    else if (!last) return undefined;
    else if (line.trim() !== '' && !(SEPARATOR.test(line.trim()) && readBlock(lines, index + 1)))
      last.text = last.text === '' ? line : `${last.text}\n${line}`;
    index = block?.end ?? index + 1;
  }
  const said = turns.filter((turn) => turn.text.trim() !== '');
  return turns.length === 0 ? undefined : { turns: said, skipped: turns.length - said.length };
}

/** Returns the sender, and the first line behind the headers. */
function readBlock(lines: readonly string[], start: number): { sender: string; end: number } | undefined {
  if (!HEADER.test(lines[start] ?? '') || isHeader(lines[start - 1])) return undefined;
  let end = start;
  let headers = 0;
  let sender: string | undefined;
  let isMailbox = false;
  // Mail programs of companies quote names without addresses.
  const isQuoted = SEPARATOR.test((lines[start - 1] ?? '').trim());
  for (; end < Math.min(lines.length, start + MAX_LINES) && (lines[end] ?? '').trim() !== ''; end += 1) {
    const [, name = '', value = ''] = HEADER.exec(lines[end] ?? '') ?? [];
    const isFolded = headers > 0 && /^[ \t]/.test(lines[end] ?? '');
    if (name === '' && !isFolded) break;
    if (!isFolded) headers += 1;
    if (!SENDER.test(name) || !(isQuoted || ADDRESS.test(value))) continue;
    sender ??= nameOf(value);
    isMailbox ||= MAILBOX.test(value);
  }
  const isBlock = headers >= MIN_HEADERS || (headers === 2 && isMailbox && (lines[end] ?? '').trim() === '');
  return isBlock && sender !== undefined ? { sender, end } : undefined;
}

const isHeader = (line = '') => line.trim() !== '' && HEADER.test(line);

/** Returns the name before an address, or the address. */
function nameOf(value: string): string {
  const name = cleanName(value.replace(/[<[(].*$/s, '').replaceAll('"', ''));
  return (name || (ADDRESS.exec(value)?.[0] ?? value)).slice(0, 64);
}
