import type { Readable } from 'node:stream';
import { create as attachment } from 'content-disposition';
import fresh from 'fresh';
import type { StoredAudio } from '../../db/models/session.ts';
import { AudioMissingError } from '../../runtime/audio/errors.ts';
import type { ByteRange } from '../../runtime/audio/store.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError } from '../errors.ts';
import { readByteRange } from '../http/byte-range.ts';
import { BytesReply } from '../http/handle.ts';

type Deps = Pick<ApiDeps, 'audio' | 'log'>;

const NO_AUDIO = 'This session has no recording, or it is removed.';

interface AudioRequest {
  range?: string | undefined;
  'if-range'?: string | undefined;
  'if-none-match'?: string | undefined;
  signal: AbortSignal;
  /** True where only the headers are wanted. */
  isHead: boolean;
}

/** Returns the recording, whole or in part, as it was uploaded; throws `not_found` and `range_not_satisfiable`. */
export async function answerWithAudio(
  deps: Deps,
  audio: StoredAudio | null,
  request: AudioRequest,
): Promise<BytesReply> {
  if (!audio) throw new ApiError('not_found', NO_AUDIO);
  const etag = `"${audio.sha256}"`;
  const headers = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Type': audio.media_type,
    'Content-Disposition': attachment(audio.file_name),
  };
  if (fresh({ 'if-none-match': request['if-none-match'] }, { etag })) {
    return new BytesReply(undefined, { status: 304, headers: { ETag: etag } });
  }
  const isRangeMeant = request['if-range'] === undefined || request['if-range'] === etag;
  const range = isRangeMeant ? readByteRange(request.range, audio.bytes) : undefined;
  if (range === 'unsatisfiable') {
    const detail = `The recording has ${audio.bytes} bytes; the range lies beyond them.`;
    throw new ApiError('range_not_satisfiable', detail, { headers: { 'Content-Range': `bytes */${audio.bytes}` } });
  }
  const { start, end } = range ?? { start: 0, end: audio.bytes - 1 };
  const partly = range && { 'Content-Range': `bytes ${start}-${end}/${audio.bytes}` };
  const reply = {
    status: range ? 206 : 200,
    headers: { ...headers, 'Content-Length': String(end - start + 1), ...partly },
  };
  return new BytesReply(
    request.isHead ? undefined : await openStored(deps, audio.key, { range, signal: request.signal }),
    reply,
  );
}

async function openStored(
  { audio, log }: Deps,
  key: string,
  options: { range: ByteRange | undefined; signal: AbortSignal },
): Promise<Readable> {
  try {
    return await audio.open(key, options);
  } catch (err) {
    if (!(err instanceof AudioMissingError)) throw err;
    log.error({ key }, 'a recording is not in the store');
    throw new ApiError('not_found', NO_AUDIO);
  }
}
