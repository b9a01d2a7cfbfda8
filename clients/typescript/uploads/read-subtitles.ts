/** Reads conversations from WebVTT and SubRip. */
import type { TurnInput } from './turn-input.ts';
import { FormatError } from './format-error.ts';
import { decodeEntities } from './entities.ts';
import { findSpeakers, splitName } from './read-names.ts';
import type { Read } from './read-conversation.ts';
import { cleanName } from './stamps.ts';

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const CUE_TIMES = new RegExp(`^${TIME}\\s*-->\\s*${TIME}(?:\\s.*)?$`);
const BEGINNING = new RegExp(`^(?:(WEBVTT)\\b|\\s*(?:\\d+[ \\t]*\\n\\s*)?${TIME}\\s*-->)`);

interface Cue {
  start_s: number;
  end_s: number;
  lines: string[];
}

/**
 * Returns the cues as turns with times, or undefined for other text. A cue has a turn for each speaker: from its voice tags
 * (`<v Ann>`), otherwise from the names before a colon, otherwise from the previous cue.
 */
export function readSubtitles(text: string, known: readonly string[], unnamed: string): Read | undefined {
  const beginning = BEGINNING.exec(text);
  if (!beginning) return undefined;
  const cues = readCues(text);
  const speakers = findSpeakers(
    cues.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('<v')).map(plain)),
    known,
  );
  const turns: TurnInput[] = [];
  for (const { lines, ...times } of cues) {
    for (const part of split(lines, speakers)) {
      const role = part.role ?? turns.at(-1)?.role ?? unnamed;
      if (part.text !== '') turns.push({ role, text: part.text, ...times });
    }
  }
  return { format: beginning[1] === undefined ? 'subrip' : 'webvtt', turns, skipped: 0 };
}

/** Reads the cues. Lines behind a blank line belong to the cue until the next time. */
function readCues(text: string): Cue[] {
  const cues: Cue[] = [];
  const lines = text.split('\n');
  let isComment = true;
  for (const [index, line] of lines.entries()) {
    const times = CUE_TIMES.exec(line.trim());
    if (!times && line.includes('-->')) throw new FormatError(index + 1, 'invalid_cue');
    if (times) {
      const start_s = toSeconds(times.slice(1, 5));
      // A cue that ends before it starts was written by a faulty program: its words still count.
      cues.push({ start_s, end_s: Math.max(start_s, toSeconds(times.slice(5, 9))), lines: [] });
      isComment = false;
    } else if (/^(?:NOTE|STYLE|REGION)\b/.test(line) && (lines[index - 1] ?? '').trim() === '') isComment = true;
    else if (!isComment && line.trim() !== '' && !isIndex(lines, index)) cues.at(-1)?.lines.push(line.trim());
  }
  return cues;
}

/** Returns whether the line is the number or name of the next cue. */
const isIndex = (lines: readonly string[], index: number) =>
  CUE_TIMES.test((lines[index + 1] ?? '').trim()) &&
  ((lines[index - 1] ?? '').trim() === '' || /^\d+$/.test((lines[index] ?? '').trim()));

const VOICE = /<v(?:\.[^\s<>]*)?\s([^<>]*)>/;

function split(lines: readonly string[], speakers: ReadonlySet<string>): { role?: string; text: string }[] {
  const parts: { role?: string; text: string }[] = [];
  const add = (text: string, role?: string) => {
    const last = parts.at(-1);
    if (role !== undefined || !last) parts.push({ ...(role !== undefined && { role }), text });
    // A template, because `join` would copy the text for each line.
    else last.text = last.text === '' || text === '' ? last.text + text : `${last.text}\n${text}`;
  };
  for (const line of lines) {
    const pieces = line.split(/(?=<v[.\s])/);
    for (const piece of pieces) {
      const voice = VOICE.exec(piece)?.[1]?.trim();
      const said = plain(piece);
      const named = voice === undefined ? splitName(said) : undefined;
      if (voice !== undefined && voice !== '') add(said, cleanName(decodeEntities(voice)));
      else if (named && speakers.has(named.name)) add(named.text, named.name);
      else if (said !== '') add(said);
    }
  }
  return parts;
}

const plain = (line: string) => decodeEntities(line.replaceAll(/<[^<>]*>|\{\\[^{}]*\}/g, '')).trim();

function toSeconds(parts: (string | undefined)[]): number {
  const [hours = '0', minutes = '0', seconds = '0', fraction = '0'] = parts.map((part) => part ?? '0');
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}
