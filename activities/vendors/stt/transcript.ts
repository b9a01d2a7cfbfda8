/** Brings every vendor's transcript into one shape. */
import { z } from 'zod';
import type { Transcript, Turn } from '../../../contract/sessions.ts';
import { postgresSafeText } from '../../../runtime/postgres-safe.ts';

/** Longest believable time in seconds. It is longer than any recording that a vendor takes. */
const MAX_SECONDS = 100 * 3_600;

/** Declares seconds as a vendor reports them. A value that can't be seconds counts as not reported. */
export const reportedSeconds = z.number().min(0).max(MAX_SECONDS).optional().catch(undefined);

/** Declares a text that a vendor may leave out. */
export const reportedText = z.string().transform(postgresSafeText).optional().catch(undefined);

/** A stretch of speech: a word for some vendors, a sentence for others. */
export interface Piece {
  /** The vendor's name for the speaker; undefined where it does not say. */
  speaker?: string | undefined;
  /** What the speaker is called, where that is known. */
  role?: string | undefined;
  text: string;
  start?: number | undefined;
  end?: number | undefined;
}

export interface Heard {
  text: string;
  /** The transcript in pieces; empty where the vendor gives only the text. */
  pieces: readonly Piece[];
  /** The text between two pieces. */
  separator: '' | ' ';
  language: string | undefined;
  durationS: number | undefined;
}

/**
 * Returns the transcript as turns. Neighbouring pieces of one speaker become one turn; without speakers each piece
 * stays a turn, so that its times are kept.
 */
export function buildTranscript({ text, pieces, separator, language, durationS }: Heard): {
  transcript: Transcript;
  turns: Turn[];
} {
  const turns = groupBySpeaker(pieces).flatMap((group) => asTurn(group, separator));
  const plain = postgresSafeText(text.trim() || turns.map((turn) => turn.text).join('\n'));
  return {
    transcript: { text: plain, language: language || null, duration_s: durationS ?? null },
    turns: turns.length > 0 || plain === '' ? turns : [{ role: 'speaker', text: plain }],
  };
}

/** Groups neighbouring pieces by speaker. A piece that names no speaker, such as a pause, belongs to the one before. */
function groupBySpeaker(pieces: readonly Piece[]): Piece[][] {
  const hasSpeakers = pieces.some((piece) => piece.speaker);
  const groups: Piece[][] = [];
  let current: string | undefined;
  for (const piece of pieces) {
    const group = groups.at(-1);
    if (group && hasSpeakers && (!piece.speaker || !current || piece.speaker === current)) group.push(piece);
    else groups.push([piece]);
    if (groups.at(-1) !== group) current = undefined;
    current = piece.speaker || current;
  }
  return groups;
}

function asTurn(group: readonly Piece[], separator: '' | ' '): Turn[] {
  const text = postgresSafeText(
    group.map((piece) => (separator ? piece.text.trim() : piece.text)).join(separator),
  ).trim();
  if (text === '') return [];
  const spoken = group.filter((piece) => piece.text.trim() !== '');
  const start = spoken.find((piece) => piece.start !== undefined)?.start;
  const end = spoken.findLast((piece) => piece.end !== undefined)?.end;
  return [
    {
      role: group.find((piece) => piece.role)?.role ?? roleOf(group.find((piece) => piece.speaker)?.speaker),
      text,
      ...(start !== undefined && { start_s: toMilliseconds(start) }),
      ...(end !== undefined && (start === undefined || end >= start) && { end_s: toMilliseconds(end) }),
    },
  ];
}

/**
 * Returns the role for a vendor's name of a speaker: `speaker_0` becomes `speaker 1`, `A` becomes `speaker A`, and any
 * other name stays. Roles have at most 64 characters.
 */
function roleOf(speaker: string | undefined): string {
  const name = (speaker ?? '').replaceAll(/\s+/g, ' ').trim();
  const number = /^speaker[_ -]?(\d{1,6})$/i.exec(name)?.[1];
  if (number !== undefined) return `speaker ${Number(number) + 1}`;
  if (/^[A-Z]$/.test(name)) return `speaker ${name}`;
  return postgresSafeText(name.slice(0, 64)) || 'speaker';
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1_000) / 1_000;
