/** Converts every provider's transcript to one format. */
import { z } from 'zod';
import { isoLanguage } from '../../../contract/values/languages.ts';
import type { Transcript, Turn } from '../../../contract/sessions/sessions.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { postgresSafeText } from '../../../runtime/postgres-safe.ts';

/** Longest plausible time in seconds, longer than any recording that a provider accepts. */
const MAX_SECONDS = 100 * 3_600;

/** Seconds that a provider reports. An invalid value counts as not reported. */
export const reportedSeconds = z.number().min(0).max(MAX_SECONDS).optional().catch(undefined);

/** A text that a provider may omit, such as the name of a speaker, which may be a number. */
export const reportedText = z
  .union([z.string(), z.number()])
  .transform((text) => postgresSafeText(String(text)))
  .optional()
  .catch(undefined);

/** Marks of models, such as `<|0.00|>`, and the reasoning of one that thinks before it writes. */
const MODEL_MARKS = /<\|[^<>|]{0,60}\|>/g;
const REASONING = /^\s*<think>[^]*<\/think>/;

/** What was said. Some providers send null for silence. A transcript without it may have pieces. */
export const spokenText = z
  .string()
  .nullable()
  .transform((text) => (text ?? '').replace(REASONING, '').replaceAll(MODEL_MARKS, ''));

/** A list whose invalid elements do not make the others unreadable. */
export const eachOf = <T extends z.ZodType>(element: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((each): z.output<T>[] => {
        const { success, data } = element.safeParse(each);
        return success ? [data] : [];
      }),
    );

/** A part of the transcript: a word for some providers, a sentence for others. */
export interface Piece {
  /** The provider's name for the speaker. */
  speaker?: string | undefined;
  /** The role of the speaker, if known. */
  role?: string | undefined;
  text: string;
  start?: number | undefined;
  end?: number | undefined;
}

export interface Heard {
  text: string;
  /** The transcript in pieces; empty if the provider returns only the text. */
  pieces: readonly Piece[];
  /** The text between two pieces. */
  separator: '' | ' ';
  language: string | undefined;
  durationS: number | undefined;
}

/** What a provider reports of a segment. https://github.com/openai/whisper, transcribe.py */
export interface SegmentFigures {
  no_speech_prob?: number | undefined;
  avg_logprob?: number | undefined;
  compression_ratio?: number | undefined;
}

/** Whisper's own limits: a segment is silence above the first and below the second, and a loop above the third. */
const MIN_NO_SPEECH = 0.6;
const MAX_LOGPROB = -1;
const MAX_COMPRESSION = 2.4;

/** Sounds, music and silence, which models write in brackets, between asterisks or after notes. Several asterisks mask a word. */
const SOUND =
  /[[({（【][^[\](){}（）【】]{0,200}[\])}）】]|<[^<>]{0,200}>|(?<!\*)\*\p{L}(?:[^*]{0,200}\p{L})?\*(?!\*)|[♪♫🎵🎶](?:[^♪♫🎵🎶]{0,400}[♪♫🎵🎶]|[^♪♫🎵🎶]{0,40}$)/gu;

/** Returns whether a text has no spoken words: none at all, or only marks of sounds. */
export const hasNoWords = (text: string): boolean => !/[\p{L}\p{N}]|\*\*/u.test(text.replaceAll(SOUND, ' '));

/** A mark in capitals, such as `[PERSON_NAME_1]`, with which providers replace personal data: beside words, it stays. */
const CAPITALS = /[[({]\p{Lu}[\p{Lu}\p{N}_]*[\])}]/u;
const isSound = (text: string): boolean => hasNoWords(text) && !CAPITALS.test(text);

/**
 * Returns the segments without those that the provider's figures show as silence, and without the repetitions of a segment
 * that the figures show as a loop.
 */
export function withoutInvented<T extends Piece & SegmentFigures>(segments: readonly T[]): T[] {
  const spoken = segments.filter(({ text, no_speech_prob = 0, avg_logprob = 0 }) => {
    const isSilence = no_speech_prob > MIN_NO_SPEECH && avg_logprob < MAX_LOGPROB;
    return !isSilence && !isSound(text);
  });
  return spoken.filter(({ text, compression_ratio = 0 }, index) => {
    const isRepeated = spoken[index - 1]?.text.trim() === text.trim();
    return !isRepeated || compression_ratio <= MAX_COMPRESSION;
  });
}

/** Returns the transcript as turns. Adjacent pieces of one speaker form a turn; without speakers each piece is a turn. */
export function buildTranscript({ text, pieces, separator, language, durationS }: Heard): {
  transcript: Transcript;
  turns: Turn[];
} {
  const spoken = pieces.every((piece) => hasNoWords(piece.text))
    ? []
    : pieces.filter((piece) => piece.text.search(SOUND) === -1 || !isSound(piece.text));
  const turns = groupBySpeaker(spoken).flatMap((group) => asTurn(group, separator));
  const said = hasNoWords(text) ? '' : text.trim();
  const plain = postgresSafeText(said || turns.map((turn) => turn.text).join('\n'));
  return {
    transcript: { text: plain, language: isoLanguage(language), duration_s: durationS ?? null },
    turns: turns.length > 0 || plain === '' ? turns : [{ role: 'speaker', text: plain }],
  };
}

/** Groups adjacent pieces by speaker. A piece without a speaker, such as a pause, belongs to the previous one. */
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

/** Returns the role for a speaker's name: `speaker_0` becomes `speaker 1`, `A` becomes `speaker A`. At most 64 characters. */
function roleOf(speaker: string | undefined): string {
  const name = (speaker ?? '').replaceAll(/\s+/g, ' ').trim();
  const number = /^speaker[_ -]?(\d{1,6})$/i.exec(name)?.[1];
  if (number !== undefined) return `speaker ${Number(number) + 1}`;
  if (/^[A-Z]$/.test(name)) return `speaker ${name}`;
  return postgresSafeText(name.slice(0, 64)) || 'speaker';
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1_000) / 1_000;

/** Returns the usage for the first valid length of the recording. Pass the provider's count before the measured length. */
export function audioUsage(...seconds: (number | null | undefined)[]): CallUsage | null {
  const audio_seconds = seconds.find((value) => value != null && value > 0);
  return audio_seconds == null ? null : { audio_seconds };
}
