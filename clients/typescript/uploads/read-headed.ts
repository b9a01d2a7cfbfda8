/** Reads transcripts and chats whose messages follow a line with the speaker and the time: Teams, Slack and Zoom. */
import type { TurnInput } from './turn-input.ts';
import type { Read } from './read-text.ts';
import { cleanName } from './stamps.ts';

/** The time behind a name: `Ann Lee   0:03`, and `Ann  9:30 AM`. */
const TIME_LAST = /\[?\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?\]?$/;
/** `[9:30 AM] Ann Lee`. */
const TIME_FIRST = /^\[\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?\] /;
/** Between a name and its time. */
const GAP = /(?: {2}|\t)$/;
const NAME = /^[^\s:][^:\t]{0,63}$/;

/** The beginning of a message of Zoom's chat: `09:30:00\t From  Ann to  Everyone : Hello`. */
const ZOOM = /^\d{1,2}:\d\d:\d\d\s+From\s/;
const RECEIVER = /\s[Tt]o\s/;

/** Returns undefined for other text. */
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
  return { turns: said, skipped: turns.length - said.length };
}

function readHead(line: string): TurnInput | undefined {
  const zoom = readZoom(line);
  if (zoom) return zoom;
  const { index: end = 0 } = TIME_LAST.exec(line) ?? {};
  const before = line.slice(0, end);
  const name = GAP.test(before) ? before.trimEnd() : line.replace(TIME_FIRST, '');
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
