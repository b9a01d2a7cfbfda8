/** Reads conversations from subtitles, chats and plain text. */
import type { TurnInput } from '../src/index.ts';

/** A line of a conversation that can't be read. */
export class FormatError extends Error {
  override name = 'FormatError';
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(`Line ${line} ${problem}.`);
    this.line = line;
  }
}

const LINE = /^([^:]{1,64}):\s+(\S.*)$/u;
/** Role of text before the first named speaker. */
const UNNAMED = 'client';

/** Returns the turns of "operator: …" lines. A line without a name continues the previous turn. */
export function readLines(text: string): TurnInput[] {
  const turns: TurnInput[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const turn = readLine(line.trimStart());
    const last = turns.at(-1);
    if (turn) turns.push(turn);
    else if (last) last.text += `\n${line}`;
    else turns.push({ role: UNNAMED, text: line });
  }
  return turns;
}

function readLine(line: string): TurnInput | undefined {
  const [, role, text] = LINE.exec(line) ?? [];
  return role !== undefined && text !== undefined ? { role: role.trimEnd(), text } : undefined;
}

const TIME = String.raw`(?:(\d{1,3}):)?(\d{2}):(\d{2})[.,](\d{3})`;
const CUE_TIMES = new RegExp(`^${TIME}\\s+-->\\s+${TIME}(?:\\s.*)?$`);

/**
 * Returns the cues of WebVTT or SubRip as turns with times, or undefined for other text. The speaker comes from the voice tag
 * (`<v Ann>`), otherwise from the name before a colon, otherwise from the previous cue. Drops cues that repeat the previous
 * cue, as in rolling captions.
 */
export function readSubtitles(text: string): TurnInput[] | undefined {
  if (!/^(WEBVTT\b|\s*\d+\n\s*[\d:]+[.,]\d+\s+-->)/.test(text)) return undefined;
  const turns: TurnInput[] = [];
  let previous = '';
  let number = 1;
  for (const block of text.split(/\n(?=\n)/)) {
    const lines = block.split('\n');
    const index = lines.findIndex((line) => line.includes('-->'));
    if (index >= 0) {
      const times = CUE_TIMES.exec(lines[index].trim());
      if (!times) throw new FormatError(number + index, 'is not the time of a cue');
      const cue = lines.slice(index + 1).join('\n');
      const said = cue.replaceAll(/<[^<>]*>|\{\\[^{}]*\}/g, '').trim();
      if (said !== '' && said !== previous) turns.push({ ...speakerOf(cue, said, turns.at(-1)), ...timesOf(times) });
      previous = said;
    }
    number += lines.length;
  }
  return turns;
}

function speakerOf(cue: string, said: string, last: TurnInput | undefined): TurnInput {
  const voice = /<v(?:\.[^\s>]*)?\s+([^>]+)>/.exec(cue)?.[1]?.trim();
  if (voice !== undefined) return { role: voice, text: said };
  return readLine(said.replaceAll('\n', ' ')) ?? { role: last?.role ?? UNNAMED, text: said };
}

const timesOf = ([, ...parts]: RegExpExecArray) => ({
  start_s: toSeconds(parts.slice(0, 4)),
  end_s: toSeconds(parts.slice(4)),
});

function toSeconds(parts: (string | undefined)[]): number {
  const [hours, minutes, seconds, milliseconds] = parts.map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000;
}

/** "[12.03.26, 14:05:11] " on iPhones, "12/03/2026, 14:05 - " on Android. Some messages on iPhones start with U+200E. */
const CHAT_TIME =
  /^\u200e?\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?:[\s\u202f][AaPp]\.?\s?[Mm]\.?)?(?:\]| -) (.*)$/u;
const OMITTED = /^(<[^<>]+>|\u200e.*)$/u;

/** Returns the messages of an exported WhatsApp chat, or undefined for other text. Drops notices and omitted media. */
export function readChat(text: string): TurnInput[] | undefined {
  const lines = text.split('\n');
  if (!CHAT_TIME.test(lines.find((line) => line.trim() !== '') ?? '')) return undefined;
  const turns: TurnInput[] = [];
  let current: TurnInput | undefined;
  for (const line of lines) {
    const message = CHAT_TIME.exec(line)?.[1];
    if (message === undefined) {
      if (current && line.trim() !== '') current.text += `\n${line}`;
    } else {
      const turn = readLine(message);
      current = turn && !OMITTED.test(turn.text) ? turn : undefined;
      if (current) turns.push(current);
    }
  }
  return turns;
}
