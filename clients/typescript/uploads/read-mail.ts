/**
 * Reads mails as text: a block of header lines, a blank line, and what the sender wrote. Later blocks start further mails, and so do
 * lines behind `>` after a line such as "On Monday, Ann <ann@example.com> wrote:", in any language.
 */
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

/** A name and its address in a header. It begins at a separator, because one at each character takes long. */
const PERSON = /(?:^|[>,;:"])([^<>,;:"\n]{1,64})"?\s<([^\s@<>]{1,64}@[^\s@<>]{1,255})>/gm;
/** The end of the line before a quotation. Its address says who wrote the quoted lines. */
const WROTE = /<([^\s@<>]{1,64}@[^\s@<>]{1,255})>[^<>@:：]{0,40}[:：]\s*$/;
const marksOf = (line = '') => /^\s?(?:>\s?)*/.exec(line)?.[0] ?? '';
const depthOf = (line: string) => marksOf(line).replaceAll(/\s/g, '').length;

/** Returns undefined for other text, as it is without a sender's address in the header lines at the beginning. */
export function readMail(text: string): Read | undefined {
  const lines = text.split('\n');
  const turns: TurnInput[] = [];
  let index = lines.findIndex((line) => line.trim() !== '');
  if (!readBlock(lines, index)) return undefined;
  const people = [...text.matchAll(PERSON)].reverse();
  const names = new Map(people.map(([, name = '', address = '']) => [address.toLowerCase(), cleanName(name)]));
  /** Who wrote the lines, by the number of `>` before them. Lines of unknown authors stay where they are. */
  let authors: string[] = [];
  for (; index < lines.length; index += 1) {
    const block = readBlock(lines, index);
    const line = lines[index] ?? '';
    const depth = depthOf(line);
    const address = WROTE.exec(line)?.[1]?.toLowerCase();
    const role = block?.sender ?? authors[depth];
    const said = role === undefined ? line : line.slice(marksOf(line).length);
    const last = turns.at(-1);
    if (block) {
      authors = [block.sender];
      turns.push({ role: block.sender, text: '' });
      index = block.end - 1;
    } else if (address !== undefined && depthOf(lines[index + 1] || (lines[index + 2] ?? '')) > depth)
      authors = [...authors.slice(0, depth + 1), names.get(address) ?? address];
    else if (said.trim() === '' || (SEPARATOR.test(line.trim()) && readBlock(lines, index + 1))) continue;
    else if (last && (role === undefined || role === last.role)) last.text += last.text === '' ? said : `\n${said}`;
    else if (role !== undefined) turns.push({ role, text: said });
  }
  const written = turns.filter((turn) => turn.text.trim() !== '');
  return { turns: written, skipped: turns.length - written.length };
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
