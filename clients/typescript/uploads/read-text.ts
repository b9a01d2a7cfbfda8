/** Reads conversations from chats and plain text. */
import type { TurnInput } from './turn-input.ts';
import { FormatError, type FormatProblem } from './format-error.ts';
import { findSpeakers, splitName } from './speakers.ts';
import { afterChatStamp, cleanName, withoutStamp } from './stamps.ts';

/** What a reader found. */
export interface Read {
  turns: TurnInput[];
  /** Messages without words of a person, such as "Ann joined", that were left out. */
  skipped: number;
}

/** Role of text before the first named speaker. */
export const UNNAMED = 'client';

/** Returns the turns of "operator: …" lines. A line without a speaker continues the previous turn. */
export function readLines(text: string, known: readonly string[]): Read {
  requireProse(text);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const stripped = lines.map(withoutStamp);
  const speakers = findSpeakers(stripped, known);
  const turns: TurnInput[] = [];
  for (const [index, line] of lines.entries()) {
    const named = splitName(stripped[index] ?? '');
    const last = turns.at(-1);
    if (named && speakers.has(named.name)) turns.push({ role: named.name, text: named.text });
    else if (last) last.text = last.text === '' ? line : `${last.text}\n${line}`;
    else turns.push({ role: UNNAMED, text: line });
  }
  return { turns: turns.filter((turn) => turn.text.trim() !== ''), skipped: 0 };
}

/** What only files of other formats contain. */
const FOREIGN: [RegExp, FormatProblem][] = [
  [/^\s*(?:\{\s*["}]|\[\s*[{["\]])/, 'invalid_json'],
  [/^\s*<(?:!doctype|html|\?xml|[a-z]+[\s>])/i, 'markup'],
  [/^\s*\[(?:script info|v4\+? styles|events)\]/i, 'substation'],
  [/^\s*\{\\rtf/, 'rich_text'],
  [/^(?:PK\x03\x04|%PDF-)/, 'binary'],
];

const FRAMES = String.raw`\d\d:\d\d:\d\d[:;]\d\d`;
/** Times of SBV, numbers of frames (MicroDVD) or of tenths (MPL2), and times with frames. */
const FOREIGN_CUE = new RegExp(
  String.raw`^(?:\d+:\d\d:\d\d\.\d+,\d+:\d\d:\d\d\.\d+$|\{\d+\}\{\d*\}|\[\d+\]\[\d*\]|${FRAMES}[\s,-]{1,5}${FRAMES}(?:[\s,]|$))`,
);

/** Throws `FormatError` if the text belongs to a format that no reader knows: as prose, all of it would be what a client said. */
function requireProse(text: string): void {
  for (const [form, problem] of FOREIGN) if (form.test(text)) throw new FormatError(lineOfError(text), problem);
  const [header = '', ...rows] = text.trimStart().split('\n', 2);
  if (rows.length > 0 && isTableHeader(header)) throw new FormatError(1, 'table');
  const cue = text.split('\n').findIndex((line) => line.includes('-->') || FOREIGN_CUE.test(line.trim()));
  if (cue >= 0) throw new FormatError(cue + 1, 'foreign_cue');
}

const SPEAKER_COLUMN = /^(?:speaker(?: ?name)?|role|author|from|sender|user|agent|participant)$/;
const TEXT_COLUMN = /^(?:text|message|body|content|transcript|utterance)$/;

/** Returns whether the line names the columns of a table: one of speakers, and one of texts. */
function isTableHeader(line: string): boolean {
  const cells = line.split(/[,;\t]/, 50).map((cell) => cell.trim().replaceAll('"', '').toLowerCase());
  return cells.some((cell) => SPEAKER_COLUMN.test(cell)) && cells.some((cell) => TEXT_COLUMN.test(cell));
}

/** Returns the line at which the JSON ends to be valid. */
function lineOfError(text: string): number {
  try {
    JSON.parse(text);
  } catch (error) {
    const position = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? 0);
    return text.slice(0, position).split('\n').length;
  }
  return 1;
}

/** Attachments and media that were not exported. Text behind them on lines of their own is their caption. */
const OMITTED =
  /^\u200e?(?:<[^<>]{1,200}>|[^\n]{1,200}\((?:file attached|Datei angehängt|файл добавлен|archivo adjunto|fichier joint)\)|\u200e.*)$/u;

/** What a message starts with: `Ann: `, `<Ann> `, or the name and a tab. */
const AUTHOR = /^(?:<([^<>\t]{1,64})>|([^:\t]{1,64})(?::|(?=\t)))(?:\s(.*))?$/su;

/** Returns the messages of an exported WhatsApp chat, or undefined for other text. Skips notices and omitted media. */
export function readChat(text: string): Read | undefined {
  const lines = text.split('\n');
  if (afterChatStamp(lines.find((line) => line.trim() !== '') ?? '') === undefined) return undefined;
  if (!lines.some((line) => AUTHOR.test(afterChatStamp(line) ?? ''))) return undefined;
  const turns: TurnInput[] = [];
  let skipped = 0;
  let current: TurnInput | undefined;
  const end = () => {
    if (current && current.text.trim() !== '') turns.push(current);
    else if (current) skipped += 1;
    current = undefined;
  };
  for (const line of lines) {
    const message = afterChatStamp(line);
    if (message === undefined) {
      if (current && line.trim() !== '') current.text = current.text === '' ? line : `${current.text}\n${line}`;
      continue;
    }
    end();
    const [, nick, role = nick, said = ''] = AUTHOR.exec(message) ?? [];
    if (role === undefined) skipped += 1;
    else current = { role: cleanName(role), text: OMITTED.test(said) ? '' : said };
  }
  end();
  return { turns, skipped };
}
