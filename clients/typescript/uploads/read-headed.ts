/** Reads transcripts and chats whose messages follow a line with the speaker and the time: Teams, Slack and Zoom. */
import type { TurnInput } from '../src/index.ts';
import type { Read } from './read-text.ts';

/** `Ann Lee   0:03`, and `Ann  9:30 AM`. */
const NAME_FIRST = /^([^\s:][^:\t]{0,63}?)(?: {2,}|\t+)\[?\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?\]?$/;
/** `[9:30 AM] Ann Lee`. */
const TIME_FIRST = /^\[\d{1,2}:\d\d(?::\d\d)?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?\] ([^\s:][^:\t]{0,63})$/;

/** A message of Zoom's chat: `09:30:00\t From  Ann to  Everyone : Hello`. */
const ZOOM = /^\d{1,2}:\d\d:\d\d\s+From\s+([^:]{1,64}?)(?:\s+[Tt]o\s+[^:]{1,64})?\s*:(?:\s(.*))?$/;

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
  const [, sender, said = ''] = ZOOM.exec(line) ?? [];
  if (sender !== undefined) return { role: sender, text: said.trim() };
  const role = (NAME_FIRST.exec(line) ?? TIME_FIRST.exec(line))?.[1];
  return role === undefined ? undefined : { role: role.trim(), text: '' };
}
