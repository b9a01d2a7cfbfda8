/** Reads conversations of "Name: words" lines. A colon in a sentence or in the header of a mail makes no speaker. */
import type { TurnInput } from './turn-input.ts';
import type { Read } from './read-conversation.ts';
import { cleanName, withoutStamp } from './stamps.ts';

const LINE = /^([^:：]{1,64})(?::(?=\s|$)|：)\s*(.*)$/su;
const MAX_LABEL = 128;
const MAX_WORDS = 4;
/** Names of speakers in every text. */
const ROLES = ['operator', 'client'];
/** Lines of a header that no paragraph without a name has to follow. */
const MIN_HEADER = 3;

/** Returns the parts of "Name: text" if the beginning could be a name; `text` may be empty. */
export function splitName(line: string): { name: string; text: string } | undefined {
  if (!/[:：]/.test(line.slice(0, MAX_LABEL))) return undefined;
  const [, before = '', text = ''] = LINE.exec(line.trim()) ?? [];
  const name = cleanName(before);
  const isName = name.split(' ').length <= MAX_WORDS && /[\p{L}\p{N}]/u.test(name) && !/[!?;"«»<>]/.test(name);
  return isName ? { name, text } : undefined;
}

/** Returns the names that are speakers: those in `known`, and those that alternate: two, or several that return. */
export function findSpeakers(lines: readonly string[], known: readonly string[]): Set<string> {
  const counts = new Map<string, number>();
  for (const name of withoutHeaders(lines)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()];
  const repeated = names.filter((name) => (counts.get(name) ?? 0) > 1);
  const isDialogue = names.length === 2 || names.some((name) => known.includes(name));
  const alternating = repeated.length > 1 ? repeated : isDialogue ? names : [];
  return new Set([...known, ...names.filter((name) => ROLES.includes(name.toLowerCase())), ...alternating]);
}

/** Returns the names before colons, apart from paragraphs of different names before one without a name, such as "From", "To". */
function withoutHeaders(lines: readonly string[]): string[] {
  const named = lines.map((line) => splitName(line)?.name);
  const names: string[] = [];
  for (let start = 0, end = 0; start < lines.length; start = end + 1) {
    for (end = start; end < lines.length && !isBlank(lines[end]);) end++;
    const paragraph = named.slice(start, end);
    const isNamed = paragraph.length > 1 && !paragraph.includes(undefined);
    const isFollowed = end + 1 < lines.length && (paragraph.length >= MIN_HEADER || named[end + 1] === undefined);
    const isHeader = isNamed && isFollowed && new Set(paragraph).size === paragraph.length;
    if (!isHeader) for (const name of paragraph) if (name !== undefined) names.push(name);
  }
  return names;
}

const isBlank = (line = '') => line === '' || line.trim() === '';

/** Returns the turns, or undefined for other text. A line without a speaker continues the previous turn. */
export function readNames(text: string, known: readonly string[], unnamed: string): Read | undefined {
  const lines = text.split('\n');
  const stripped = lines.map((line) => (line === '' ? line : withoutStamp(line)));
  const speakers = findSpeakers(stripped, known);
  const turns: TurnInput[] = [];
  let isDialogue = false;
  for (const [index, line] of lines.entries()) {
    const named = splitName(stripped[index] ?? '');
    const last = turns.at(-1);
    if (named && speakers.has(named.name)) {
      turns.push({ role: named.name, text: named.text });
      isDialogue = true;
    } else if (isBlank(line)) continue;
    else if (last) last.text = last.text === '' ? line : `${last.text}\n${line}`;
    else turns.push({ role: unnamed, text: line });
  }
  return isDialogue
    ? { format: 'names', turns: turns.filter((turn) => turn.text.trim() !== ''), skipped: 0 }
    : undefined;
}
