/**
 * Detects the format of a recording by its bytes, not its name, in the process of `inspect-audio.ts`. docs/decisions.md,
 * "Recordings".
 */
import { open } from 'node:fs/promises';
import { fileTypeFromTokenizer } from 'file-type';
import { parseFromTokenizer, TrackType, type IAudioMetadata } from 'music-metadata';
import { findMp3 } from './find-mp3.ts';
import { isWithoutFrames, peek, readMp4Boxes } from './find-frames.ts';
import { readAacChannels } from './read-aac.ts';
import { measureOgg } from './read-ogg.ts';
import { readWav } from './read-wav.ts';
import { UnfitAudioError } from './unfit-audio.ts';
import { WindowedTokenizer } from './windowed-tokenizer.ts';

type Format = IAudioMetadata['format'];

export interface AudioFacts {
  media_type: string;
  /** null: the container has no duration, or an impossible one. */
  duration_s: number | null;
  /** null: the container has no number of channels. */
  channels: number | null;
  /** Providers transcribe one of them. */
  audio_tracks: number;
}

/** Accepted formats by the type of the first bytes. A file has a video type only if it contains a picture. */
const ACCEPTED: Record<string, Accepted> = {
  'audio/mpeg': { audio: 'audio/mpeg' },
  'audio/aac': { audio: 'audio/aac' },
  'audio/flac': { audio: 'audio/flac' },
  'audio/ogg': { audio: 'audio/ogg' },
  'video/webm': { audio: 'audio/webm', video: 'video/webm' },
};
/** Every brand of MP4, such as those of Android, Apple and QuickTime, is one container. Its codec decides. */
const MP4: Accepted = { audio: 'audio/mp4', video: 'video/mp4' };
const QUICKTIME = 'video/quicktime';

interface Accepted {
  audio: string;
  video?: string;
  /** Position of the first frame, if other bytes precede it. */
  start?: number;
}

/** What the process found, or why the file is not a recording. */
export type Inspected =
  | { facts: AudioFacts }
  | { unfit: Pick<UnfitAudioError, 'reason' | 'fault'> }
  | { failed: string };

const DAMAGED = new UnfitAudioError('not_audio', 'damaged');

/** Measuring may read the whole file. After this time the duration stays unknown until the provider reports it. */
const MEASURE_MS = 2_500;

/** Inspects a recording. Reports its facts without a length as soon as its type is proven. */
export async function run(path: string, report: (proven: AudioFacts) => void): Promise<Inspected> {
  try {
    return { facts: await inspect(path, report) };
  } catch (error) {
    // Not the file, but the disk is the cause.
    if ((error as NodeJS.ErrnoException).syscall !== undefined) return { failed: (error as Error).message };
    const { reason, fault } = error instanceof UnfitAudioError ? error : DAMAGED;
    return { unfit: { reason, fault } };
  }
}

async function inspect(path: string, report: (proven: AudioFacts) => void): Promise<AudioFacts> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const tokenizer = new WindowedTokenizer(file, size, AbortSignal.timeout(MEASURE_MS));
    const wav = await readWav(tokenizer);
    const facts = wav ? { ...wav, media_type: 'audio/wav', audio_tracks: 1 } : await readFacts(tokenizer, report);
    if (facts.duration_s !== null && facts.duration_s < MIN_SECONDS)
      throw new UnfitAudioError('empty', 'silent', { min: MIN_SECONDS });
    return { ...facts, duration_s: facts.duration_s && Math.round(facts.duration_s * 1_000) / 1_000 };
  } finally {
    await file.close();
  }
}

/** Shortest recording. OpenAI refuses shorter ones. */
const MIN_SECONDS = 0.1;

async function readFacts(tokenizer: WindowedTokenizer, report: (proven: AudioFacts) => void): Promise<AudioFacts> {
  const accepted = await findAccepted(tokenizer);
  const { start = 0, audio } = accepted;
  const size = tokenizer.fileInfo.size - start;
  const boxes = accepted === MP4 ? await readMp4Boxes(tokenizer) : undefined;
  const index = boxes?.get('moov');
  if (boxes && index === undefined)
    throw new UnfitAudioError('not_audio', 'damaged:no_index', {
      advice: 'the recorder did not finish it; repair it or record again',
    });
  report({ media_type: audio, duration_s: null, channels: null, audio_tracks: 1 });
  tokenizer.setPosition(start);
  tokenizer.fileInfo.mimeType = audio;
  const found = await readFormat(tokenizer);
  // QuickTime files have the duration only in their tracks.
  const duration = found.duration ?? found.trackInfo?.find((track) => track.duration)?.duration;
  const format = { ...found, ...(duration !== undefined && { duration }) };
  const tracks = (format.trackInfo ?? []).filter(({ type, audio: sound }) => type === TrackType.audio || sound);
  const codec = [format.codec, ...tracks.map(({ codecName }) => codecName)].find((name) =>
    REFUSED_CODECS.test(name ?? ''),
  );
  if (boxes && codec !== undefined) throw new UnfitAudioError('not_audio', 'not_audio:codec', { codec, advice: SEND });
  if (format.hasAudio !== true) throw new UnfitAudioError('not_audio', 'silent:no_track');
  const media_type = format.hasVideo === true ? (accepted.video ?? audio) : audio;
  // The frames of a file whose reading was stopped are unknown.
  const isEmpty = !tokenizer.isStopped && (await isWithoutFrames(tokenizer, audio, format, boxes));
  const measured =
    audio === 'audio/ogg' ? await measureOgg(tokenizer).catch(() => null) : plausibleDuration(format, audio, size);
  const isAac = index !== undefined && /aac/i.test(format.codec ?? '');
  const aacChannels = isAac && tracks.length === 1 ? await readAacChannels(tokenizer, index).catch(() => null) : null;
  const channels = isAac ? aacChannels : format.numberOfChannels;
  return {
    media_type,
    duration_s: isEmpty ? 0 : measured,
    channels: channels || null,
    audio_tracks: Math.max(1, tracks.length),
  };
}

/** Codecs of MP4 files that speech-to-text providers don't read: AMR, and those of cinema. */
const REFUSED_CODECS = /amr|samr|sawb|sawp|s263|evrc|qcelp|sqcp/i;

async function findAccepted(tokenizer: WindowedTokenizer): Promise<Accepted> {
  const head = await peek(tokenizer, 0, 12);
  const found = await fileTypeFromTokenizer(tokenizer).catch(() => undefined);
  const [type = ''] = (found?.mime ?? '').split(';');
  if (head.toString('latin1', 4, 8) === 'ftyp' || type === QUICKTIME) return MP4;
  const accepted = ACCEPTED[type];
  // Raw samples may begin like a frame, so MP3 without a tag needs several.
  const isUnproven = found === undefined || (type === 'audio/mpeg' && head.toString('latin1', 0, 3) !== 'ID3');
  if (accepted && !isUnproven) return accepted;
  const start = isUnproven ? await findMp3(tokenizer) : undefined;
  if (start !== undefined) return { audio: 'audio/mpeg', start };
  const what = isUnproven ? 'is not a recording' : `is ${found.mime}, which is not supported`;
  throw new UnfitAudioError('not_audio', 'not_audio', { what });
}

const SEND = 'send WAV, MP3, M4A, MP4, AAC, FLAC, OGG, Opus or WebM';

/** Reads the format. If the tokenizer stops, returns what was found so far. */
async function readFormat(tokenizer: WindowedTokenizer): Promise<Format> {
  let found: Format | undefined;
  const observer = ({ metadata }: { metadata: { format: Format } }) => {
    found = metadata.format;
  };
  try {
    const { format } = await parseFromTokenizer(tokenizer, { duration: true, skipCovers: true, observer });
    return format;
  } catch {
    if (!tokenizer.isStopped) throw DAMAGED;
    const { duration: _unfinished, ...rest } = found ?? { tagTypes: [], trackInfo: [] };
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
  return rate < minRate || rate > MAX_BIT_RATE ? null : measured;
}
