/** Detects the format of a recording by its bytes, not its name. docs/decisions.md, "Recordings". */
import { open } from 'node:fs/promises';
import { fileTypeFromTokenizer } from 'file-type';
import { parseFromTokenizer } from 'music-metadata';
import type { IAudioMetadata } from 'music-metadata';
import pLimit from 'p-limit';
import { UnfitAudioError } from './unfit-audio.ts';
import { WindowedTokenizer } from './windowed-tokenizer.ts';

type Format = IAudioMetadata['format'];

export interface AudioFacts {
  media_type: string;
  /** null: the container has no duration, or an impossible one. */
  duration_s: number | null;
  /** null: the container has no number of channels. */
  channels: number | null;
}

/** Accepted formats by the type of the first bytes. A file has a video type only if it contains a picture. */
const ACCEPTED: Record<string, { audio: string; video?: string }> = {
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

/** Measuring may read the whole file. After this time the duration stays unknown until the provider reports it. */
const MEASURE_MS = 3_000;

/** Each measurement may use megabytes and a core for seconds. */
const twoAtOnce = pLimit(2);

/** Returns the type, duration and channels of a recording. Throws `UnfitAudioError`. */
export function inspectAudio(path: string): Promise<AudioFacts> {
  return twoAtOnce(() => inspect(path));
}

async function inspect(path: string): Promise<AudioFacts> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const deadline = AbortSignal.timeout(MEASURE_MS);
    const tokenizer = new WindowedTokenizer(file, size, deadline);
    const accepted = await findAccepted(tokenizer);
    tokenizer.setPosition(0);
    const format = await readFormat(tokenizer, deadline);
    if (format.hasAudio !== true) throw new UnfitAudioError('not_audio', 'contains no sound');
    const media_type = format.hasVideo === true ? (accepted.video ?? accepted.audio) : accepted.audio;
    const { numberOfChannels: channels = 0 } = format;
    return { media_type, duration_s: plausibleDuration(format, media_type, size), channels: channels || null };
  } finally {
    await file.close();
  }
}

async function findAccepted(tokenizer: WindowedTokenizer) {
  const found = await fileTypeFromTokenizer(tokenizer).catch(() => undefined);
  const [type = ''] = (found?.mime ?? '').split(';');
  const accepted = ACCEPTED[type];
  if (accepted) return accepted;
  const seen = found === undefined ? 'is not a recording' : `is ${found.mime}, which is not supported`;
  throw new UnfitAudioError('not_audio', `${seen}; send WAV, MP3, M4A, MP4, AAC, FLAC, OGG, Opus or WebM`);
}

/** Reads the format. At the deadline, returns what was found so far. */
async function readFormat(tokenizer: WindowedTokenizer, deadline: AbortSignal): Promise<Format> {
  let found: Format | undefined;
  const observer = ({ metadata }: { metadata: { format: Format } }) => {
    found = metadata.format;
  };
  try {
    const { format } = await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true, observer });
    return format;
  } catch {
    if (!deadline.aborted || found === undefined)
      throw new UnfitAudioError('not_audio', 'is damaged: its tracks cannot be read');
    const { duration: _unfinished, ...rest } = found;
    return { hasAudio: true, ...rest };
  }
}

/** Lowest and highest existing bit rates. MPEG audio: ISO 11172-3 and 13818-3. */
const MIN_BIT_RATE = 100;
const MIN_MPEG_BIT_RATE = 7_500;
const MAX_BIT_RATE = 100_000_000;

/** Returns the duration if it fits the size of the file. A constant bit rate shows the duration of a truncated file. */
function plausibleDuration(format: Format, mediaType: string, bytes: number): number | null {
  const { duration, bitrate, codecProfile } = format;
  if (duration === undefined || !Number.isFinite(duration) || duration <= 0) return null;
  const isConstant = mediaType === 'audio/mpeg' && codecProfile === 'CBR' && bitrate !== undefined && bitrate > 0;
  const measured = isConstant ? Math.min(duration, (bytes * 8) / bitrate) : duration;
  const rate = (bytes * 8) / measured;
  const minRate = mediaType === 'audio/mpeg' ? MIN_MPEG_BIT_RATE : MIN_BIT_RATE;
  return rate < minRate || rate > MAX_BIT_RATE ? null : Math.round(measured * 1_000) / 1_000;
}
