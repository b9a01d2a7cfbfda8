/** What a recording is, by its bytes and not by its name. docs/decisions.md, "Recordings". */
import { open } from 'node:fs/promises';
import { fileTypeFromTokenizer } from 'file-type';
import { parseFromTokenizer } from 'music-metadata';
import type { IAudioMetadata } from 'music-metadata';
import { createFairShares } from '../../runtime/fair-shares.ts';
import { NotAudioError } from './not-audio-error.ts';
import { WindowedTokenizer } from './windowed-tokenizer.ts';

type Format = IAudioMetadata['format'];

export interface AudioFacts {
  media_type: string;
  /** null: the container does not say, or says what can't be. */
  duration_s: number | null;
  /** null: the container does not say. */
  channels: number | null;
}

/** What is taken, by the type that the first bytes show; a video's type stays only if there is a picture in it. */
const TAKEN: Record<string, { audio: string; video?: string }> = {
  'audio/wav': { audio: 'audio/wav' },
  'audio/mpeg': { audio: 'audio/mpeg' },
  'audio/x-m4a': { audio: 'audio/mp4' },
  'audio/mp4': { audio: 'audio/mp4' },
  'video/mp4': { audio: 'audio/mp4', video: 'video/mp4' },
  'audio/aac': { audio: 'audio/aac' },
  'audio/flac': { audio: 'audio/flac' },
  'audio/ogg': { audio: 'audio/ogg' },
  'video/webm': { audio: 'audio/webm', video: 'video/webm' },
};

/** Measuring may mean to read the whole file; beyond this time the length stays unknown and the vendor tells it. */
const MEASURE_MS = 3_000;

/** Each one may take megabytes and a core for seconds: two at once, of two users, so that one user's keep nobody waiting. */
const turns = createFairShares({ total: 2, perKey: 1 });

/** Returns what is known of the user's recording. Throws `NotAudioError`, whose text is for the client. */
export function inspectAudio(userId: string, path: string): Promise<AudioFacts> {
  return turns.run(userId, 1, () => inspect(path));
}

async function inspect(path: string): Promise<AudioFacts> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const deadline = AbortSignal.timeout(MEASURE_MS);
    const tokenizer = new WindowedTokenizer(file, size, deadline);
    const taken = await findTaken(tokenizer);
    tokenizer.setPosition(0);
    const format = await readFormat(tokenizer, deadline);
    if (format.hasAudio !== true) throw new NotAudioError('has no sound in it');
    const media_type = format.hasVideo === true ? (taken.video ?? taken.audio) : taken.audio;
    const { numberOfChannels: channels = 0 } = format;
    return { media_type, duration_s: plausibleDuration(format, media_type, size), channels: channels || null };
  } finally {
    await file.close();
  }
}

async function findTaken(tokenizer: WindowedTokenizer) {
  const found = await fileTypeFromTokenizer(tokenizer).catch(() => undefined);
  const [type = ''] = (found?.mime ?? '').split(';');
  const taken = TAKEN[type];
  if (taken) return taken;
  const seen = found === undefined ? 'is not a recording' : `is ${found.mime}, which is not taken`;
  throw new NotAudioError(`${seen}; send WAV, MP3, M4A, MP4, AAC, FLAC, OGG, Opus or WebM`);
}

/** Reads the format; what was found before the deadline counts. */
async function readFormat(tokenizer: WindowedTokenizer, deadline: AbortSignal): Promise<Format> {
  let found: Format | undefined;
  const observer = ({ metadata }: { metadata: { format: Format } }) => {
    found = metadata.format;
  };
  try {
    const { format } = await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true, observer });
    return format;
  } catch {
    if (!deadline.aborted || found === undefined) throw new NotAudioError('is damaged: its tracks cannot be read');
    const { duration: _unfinished, ...rest } = found;
    return { hasAudio: true, ...rest };
  }
}

/** Slowest and fastest streams that exist, in bits per second. MPEG audio: ISO 11172-3 and 13818-3. */
const SLOWEST = { any: 100, 'audio/mpeg': 7_500 };
const FASTEST = 100_000_000;

/** Headers may lie. Of a constant bit rate the bytes tell the truth: a file that was cut is no longer than they are. */
function plausibleDuration(format: Format, mediaType: string, bytes: number): number | null {
  const { duration, bitrate, codecProfile } = format;
  if (duration === undefined || !Number.isFinite(duration) || duration <= 0) return null;
  const isConstant = mediaType === 'audio/mpeg' && codecProfile === 'CBR' && bitrate !== undefined && bitrate > 0;
  const measured = isConstant ? Math.min(duration, (bytes * 8) / bitrate) : duration;
  const rate = (bytes * 8) / measured;
  const slowest = mediaType === 'audio/mpeg' ? SLOWEST['audio/mpeg'] : SLOWEST.any;
  return rate < slowest || rate > FASTEST ? null : Math.round(measured * 1_000) / 1_000;
}
