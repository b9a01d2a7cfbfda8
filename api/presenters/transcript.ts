/** Writes turns in the formats of readers and players. */
import type { Turn } from '../../contract/sessions.ts';
import { toLines } from '../../contract/turn-lines.ts';

/** A turn whose place in the recording is known. */
export type TimedTurn = Turn & { start_s: number };

export function isTimed(turns: readonly Turn[]): turns is TimedTurn[] {
  return turns.every(({ start_s }) => start_s !== undefined);
}

/** Writes turns as plain text, in which only turns begin at the start of a line. */
export function toText(turns: readonly Turn[]): string {
  return turns.map((turn) => `${toLines(turn)}\n`).join('');
}

/** Writes turns as SubRip subtitles, as players take them: there is no specification. */
export function toSrt(turns: readonly TimedTurn[]): string {
  return turns
    .map((turn, index) => `${index + 1}\n${span(turns, index, ',')}\n${onOneLine(`${turn.role}: ${turn.text}`)}\n\n`)
    .join('');
}

/** Writes turns as WebVTT: https://www.w3.org/TR/webvtt1/ */
export function toVtt(turns: readonly TimedTurn[]): string {
  const cues = turns.map(
    ({ role, text }, index) =>
      `\n${span(turns, index, '.')}\n<v ${escape(onOneLine(role))}>${escape(onOneLine(text))}\n`,
  );
  return `WEBVTT\n${cues.join('')}`;
}

/** Time for which a turn is shown when neither its end nor the next one's start is known. */
const SHOWN_MS = 2_000;

function span(turns: readonly TimedTurn[], index: number, point: ',' | '.'): string {
  const { start_s, end_s = turns[index + 1]?.start_s } = turns[index] as TimedTurn;
  const startMs = Math.round(start_s * 1_000);
  const endMs = end_s === undefined ? startMs + SHOWN_MS : Math.round(end_s * 1_000);
  // Players leave out what takes no time.
  return `${clock(startMs, point)} --> ${clock(Math.max(endMs, startMs + 1), point)}`;
}

function clock(ms: number, point: ',' | '.'): string {
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  const [hours, minutes, seconds] = parts.map((part) => String(Math.floor(part)).padStart(2, '0'));
  return `${hours}:${minutes}:${seconds}${point}${String(ms % 1_000).padStart(3, '0')}`;
}

/** Puts a text on one line: an empty one would end the cue. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Escapes what has a meaning in a cue; `-->` would end it too. */
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
