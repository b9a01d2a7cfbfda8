import { Readable } from 'node:stream';
import { create as attachment } from 'content-disposition';
import { nameSpeakers } from '../../contract/speaker-names.ts';
import type { SessionTranscript, TRANSCRIPT_FORMATS } from '../../contract/transcripts.ts';
import type { SessionModel } from '../../db/models/session.ts';
import { ApiError } from '../errors.ts';
import { BytesReply } from '../http/handle.ts';
import { isTimed, toSrt, toText, toVtt } from '../presenters/transcript.ts';

type Format = (typeof TRANSCRIPT_FORMATS)[number];

/** Returns what was said in the session; for text, the conversation as it was submitted. */
export function answerWithTranscript(
  { id, conversation: turns, transcript, knownRoles }: SessionModel,
  format: Format,
): SessionTranscript | BytesReply {
  if (turns === null) throw new ApiError('not_found', 'There is no transcript of this session.');
  if (format === 'json') {
    const { text = toText(turns), language = null, duration_s = null } = transcript ?? {};
    return { session_id: id, text, language, duration_s, turns };
  }
  const named = nameSpeakers(turns, knownRoles);
  if (format === 'txt') return file(id, 'txt', 'text/plain', toText(named));
  if (!isTimed(named)) {
    throw new ApiError('conflict', `This transcript has no times, which ${format} needs. Ask for txt or json.`);
  }
  return format === 'srt'
    ? file(id, 'srt', 'application/x-subrip', toSrt(named))
    : file(id, 'vtt', 'text/vtt', toVtt(named));
}

function file(id: string, extension: string, mediaType: string, text: string): BytesReply {
  const bytes = Buffer.from(text);
  const headers = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': String(bytes.length),
    'Content-Disposition': attachment(`${id}.${extension}`),
  };
  return new BytesReply(Readable.from([bytes]), { status: 200, headers });
}
