/** Presents transcripts as JSON, text or subtitles. */
import { create as attachment } from 'content-disposition';
import type { Turn } from '../../contract/sessions/sessions.ts';
import type { SessionTranscript, TRANSCRIPT_FORMATS } from '../../contract/sessions/transcripts.ts';
import { nameSpeakers, toLines } from '../../contract/sessions/turns.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { refusal } from '../errors.ts';
import { Reply, type BytesReply } from '../reply.ts';

type Format = (typeof TRANSCRIPT_FORMATS)[number];

/** Returns the transcript of the session; of a text session, the submitted conversation. */
export function replyWithTranscript(
  { id, conversation: turns, transcript, knownRoles }: SessionModel,
  format: Format,
): SessionTranscript | BytesReply {
  if (turns === null) throw refusal('no_transcript');
  if (format === 'json') {
    const { text = toText(turns), language = null, duration_s = null } = transcript ?? {};
    return { session_id: id, text, language, duration_s, turns };
  }
  const named = nameSpeakers(turns, knownRoles);
  if (format === 'txt') return file(id, 'txt', 'text/plain', toText(named));
  if (!isTimed(named)) throw refusal('no_times', { format });
  return format === 'srt'
    ? file(id, 'srt', 'application/x-subrip', toSrt(named))
    : file(id, 'vtt', 'text/vtt', toVtt(named));
}

function file(id: string, extension: string, mediaType: string, text: string): BytesReply {
  const bytes = Buffer.from(text);
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Disposition': attachment(`${id}.${extension}`),
  };
  return new Reply(bytes, { headers });
}

type TimedTurn = Turn & { start_s: number };

function isTimed(turns: readonly Turn[]): turns is TimedTurn[] {
  return turns.every(({ start_s }) => start_s !== undefined);
}

/** Writes turns as plain text. Only turns start at the beginning of a line. */
export function toText(turns: readonly Turn[]): string {
  return turns.map((turn) => `${toLines(turn)}\n`).join('');
}

/** Writes turns as SubRip subtitles, which have no specification. */
function toSrt(turns: readonly TimedTurn[]): string {
  return turns
    .map((turn, index) => `${index + 1}\n${span(turns, index, ',')}\n${onOneLine(`${turn.role}: ${turn.text}`)}\n\n`)
    .join('');
}

/** Writes turns as WebVTT: https://www.w3.org/TR/webvtt1/ */
function toVtt(turns: readonly TimedTurn[]): string {
  const cues = turns.map(
    ({ role, text }, index) =>
      `\n${span(turns, index, '.')}\n<v ${escape(onOneLine(role))}>${escape(onOneLine(text))}\n`,
  );
  return `WEBVTT\n${cues.join('')}`;
}

/** Duration of a turn if neither its end nor the start of the next turn is known. */
const SHOWN_MS = 2_000;

function span(turns: readonly TimedTurn[], index: number, point: ',' | '.'): string {
  const { start_s, end_s = turns[index + 1]?.start_s } = turns[index] as TimedTurn;
  const startMs = Math.round(start_s * 1_000);
  const endMs = end_s === undefined ? startMs + SHOWN_MS : Math.round(end_s * 1_000);
  // Players skip cues without a duration.
  return `${clock(startMs, point)} --> ${clock(Math.max(endMs, startMs + 1), point)}`;
}

function clock(ms: number, point: ',' | '.'): string {
  const parts = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  const [hours, minutes, seconds] = parts.map((part) => String(Math.floor(part)).padStart(2, '0'));
  return `${hours}:${minutes}:${seconds}${point}${String(ms % 1_000).padStart(3, '0')}`;
}

/** Puts a text on one line. An empty line would end the cue. */
const onOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Escapes the characters with a meaning in a cue. `-->` would end it. */
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
