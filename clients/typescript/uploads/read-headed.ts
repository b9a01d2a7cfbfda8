/** Reads transcripts and chats whose messages follow a line with the speaker and the time: Teams, Slack, Zoom, Discord and Telegram. */
import type { TurnInput } from './turn-input.ts';
import type { Read } from './read-text.ts';
import { cleanName, withoutStamp } from './stamps.ts';

/** Between a name and its time: `Ann Lee   0:03`, `Ann  9:30 AM`, `Ann, [12.03.2026 14:05]`. */
const GAP = / {2}|\t|, \[/;
const NAME = /^[^\s:][^:\t]{0,63}$/;

/** The beginning of a message of Zoom's chat: `09:30:00\t From  Ann to  Everyone : Hello`. */
const ZOOM = /^\d{1,2}:\d\d:\d\d\s+From\s/;
const RECEIVER = /\s[Tt]o\s/;

/** Returns undefined for other text, as it is if most of the heads have no message. */
export function readHeaded(text: string): Read | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const heads = lines.map(readHead);
  if (!heads[lines.findIndex((line) => line !== '')] || heads.filter(Boolean).length < 2) return undefined;
  const turns: TurnInput[] = [];
  for (const [index, line] of lines.entries()) {
    const head = heads[index];
    const last = turns.at(-1);
    if (head) turns.push({ ...head });
    else if (last && line !== '') last.text = last.text === '' ? line : `${last.text}\n${line}`;
  }
  const said = turns.filter((turn) => turn.text !== '');
  const skipped = turns.length - said.length;
  return skipped > said.length ? undefined : { turns: said, skipped };
}

function readHead(line: string): TurnInput | undefined {
  const zoom = readZoom(line);
  if (zoom) return zoom;
  const gap = line.search(GAP);
  const isTimed = gap > 0 && withoutStamp(`${line.slice(gap + 1).trim()} `) === '';
  // `[9:30 AM] Ann Lee`
  const name = isTimed ? line.slice(0, gap) : line.startsWith('[') ? withoutStamp(line) : line;
  return name !== line && NAME.test(name) ? { role: cleanName(name), text: '' } : undefined;
}

function readZoom(line: string): TurnInput | undefined {
  const [start = ''] = ZOOM.exec(line) ?? [];
  const end = line.indexOf(':', start.length);
  const said = line.slice(end + 1);
  if (start === '' || end === -1 || (said !== '' && said === said.trimStart())) return undefined;
  const [role = ''] = line.slice(start.length, end).trim().split(RECEIVER, 1);
  return role === '' || role.length > 64 ? undefined : { role: cleanName(role), text: said.trim() };
}
