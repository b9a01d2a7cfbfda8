import type { Readable } from 'node:stream';
import { create as attachment } from 'content-disposition';
import fresh from 'fresh';
import type { EndpointInput } from '../../contract/values/endpoint.ts';
import type { getSessionAudio } from '../../contract/sessions/recording.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import { AudioMissingError, type ByteRange } from '../../runtime/audio/store.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import { Reply } from '../reply.ts';
import type { RequestFacts } from '../http/handle.ts';

type AudioDeps = Pick<ApiDeps, 'audio' | 'log'>;

type AudioRequest = EndpointInput<typeof getSessionAudio>['headers'] & Pick<RequestFacts, 'signal' | 'isHead'>;

/** Returns the recording, or the requested range of it. Throws `not_found` or `range_not_satisfiable`. */
export async function replyWithAudio(
  deps: AudioDeps,
  audio: StoredAudio | null,
  request: AudioRequest,
): Promise<Reply<Readable | undefined>> {
  if (!audio) throw noAudio();
  const etag = `"${audio.sha256}"`;
  if (fresh({ 'if-none-match': request['if-none-match'] }, { etag })) {
    return new Reply(undefined, { status: 304, headers: { ETag: etag } });
  }
  const isRangeValid = request['if-range'] === undefined || request['if-range'] === etag;
  const range = isRangeValid ? readByteRange(request.range, audio.bytes) : undefined;
  const { start, end } = range ?? { start: 0, end: audio.bytes - 1 };
  const headers = {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Type': audio.media_type,
    'Content-Disposition': attachment(audio.file_name),
    'Content-Length': String(end - start + 1),
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${audio.bytes}` }),
  };
  const body = request.isHead ? undefined : await openStored(deps, audio.key, { range, signal: request.signal });
  return new Reply(body, { status: range ? 206 : 200, headers });
}

const noAudio = () => refusal('no_recording');

async function openStored(
  { audio, log }: AudioDeps,
  key: string,
  options: { range: ByteRange | undefined; signal: AbortSignal },
): Promise<Readable> {
  try {
    const stream = await audio.open(key, options);
    // If the client disconnects before Koa listens to the stream, an error without a listener would end the process.
    return stream.on('error', () => undefined);
  } catch (err) {
    if (!(err instanceof AudioMissingError)) throw err;
    log.error({ key }, 'recording is missing in the store');
    throw noAudio();
  }
}

/**
 * Reads a `Range` header with one range. RFC 9110, section 14. Returns undefined, which means the whole file, for a missing
 * header, several ranges or an unknown form. Throws `range_not_satisfiable` for a range beyond the end.
 */
function readByteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  // `-500` means the last 500 bytes.
  const start = first === '' ? size - Math.min(Number(last), size) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start < size) return { start, end };
  throw refusal('range_not_satisfiable', { bytes: size }, { headers: { 'Content-Range': `bytes */${size}` } });
}
