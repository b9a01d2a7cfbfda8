/** Reads conversations from WebVTT, SubRip and SBV. */
import type { TurnInput } from './turn-input.ts';
import { FormatError } from './format-error.ts';
import { decodeEntities } from './entities.ts';
import { UNNAMED, type Read } from './read-text.ts';
import { findSpeakers, splitName } from './speakers.ts';
import { cleanName } from './stamps.ts';

const TIME = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const CUE_TIMES = new RegExp(`^${TIME}(?:\\s*-->\\s*|,)${TIME}(?:\\s.*)?$`);
const BEGINNING = new RegExp(`^(?:WEBVTT\\b|\\s*(?:\\d+[ \\t]*\\n\\s*)?${TIME}(?:\\s*-->|,\\d+:))`);

interface Cue {
  start_s: number;
  end_s: number;
  lines: string[];
}

/**
 * Returns the cues as turns with times, or undefined for other text. A cue has a turn for each speaker: from its voice tags
 * (`<v Ann>`), otherwise from the names before a colon, otherwise from the previous cue. Words that a cue repeats from the previous
 * one, as rolling captions do, are left out.
 */
export function readSubtitles(text: string, known: readonly string[]): Read | undefined {
  if (!BEGINNING.test(text)) return undefined;
  const cues = readCues(text);
  const speakers = findSpeakers(
    cues.flatMap(({ lines }) => lines.filter((line) => !line.startsWith('<v')).map(plain)),
    known,
  );
  const turns: TurnInput[] = [];
  let shown: string[] = [];
  let shownUntil = Number.NEGATIVE_INFINITY;
  for (const { lines, ...times } of cues) {
    const last = turns.at(-1);
    const grown = times.start_s - shownUntil <= MAX_GAP_S ? findGrowth(shown, lines) : undefined;
    if (grown && last) Object.assign(last, { text: last.text + grown.suffix, end_s: times.end_s });
    const fresh = grown && last ? lines.slice(grown.count) : withoutShown(shown, lines);
    if (lines.length > 0) [shown, shownUntil] = [lines, times.end_s];
    for (const part of split(fresh, speakers)) {
      const role = part.role ?? turns.at(-1)?.role ?? UNNAMED;
      if (part.text !== '') turns.push({ role, text: part.text, ...times });
    }
  }
  return { turns, skipped: 0 };
}

/** The longest time between two cues of a caption that grows. */
const MAX_GAP_S = 0.1;

/**
 * Returns the words by which the last shown line is longer in this cue, as captions grow word by word, and how many lines of this cue
 * were shown with it.
 */
function findGrowth(shown: readonly string[], lines: readonly string[]): { suffix: string; count: number } | undefined {
  const before = shown.at(-1) ?? '';
  const start = plain(before);
  const at = lines.findIndex((line) => plain(line).startsWith(`${start} `) && voiceOf(line) === voiceOf(before));
  if (start === '' || at === -1 || at >= shown.length) return undefined;
  const above = shown.slice(shown.length - 1 - at, -1);
  if (above.some((line, index) => line !== lines[index])) return undefined;
  return { suffix: plain(lines[at] ?? '').slice(start.length), count: at + 1 };
}

const voiceOf = (line: string) => VOICE.exec(line)?.[1]?.trim();

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

/**
 * Removes lines at the beginning that the previous cue already showed at its end. Compares each line a few times only (the prefix
 * function of Knuth, Morris and Pratt), because a cue of a hostile file can have thousands of equal lines.
 */
function withoutShown(shown: readonly string[], lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return lines;
  const compared = [...lines.map(plain), undefined, ...shown.slice(-lines.length).map(plain)];
  /** How many lines before and with this one are also the first ones. */
  const repeated = [0];
  for (const [index, line] of compared.entries()) {
    if (index === 0) continue;
    let count = repeated[index - 1] ?? 0;
    while (count > 0 && line !== compared[count]) count = repeated[count - 1] ?? 0;
    repeated.push(line === compared[count] ? count + 1 : 0);
  }
  return lines.slice(repeated.at(-1));
}

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
