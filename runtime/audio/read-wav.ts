/**
 * Reads WAV recordings: RIFF, and its forms with 64-bit sizes, RF64, BW64 and Sony's W64. music-metadata reads only RIFF,
 * and measures neither codecs without `fact` nor recordings whose recorder crashed.
 */
import type { ITokenizer } from 'strtok3';
import { peek } from './find-frames.ts';

export interface WavFacts {
  /** null: the header does not show it. */
  duration_s: number | null;
  channels: number | null;
}

const RIFF_NAMES = ['RIFF', 'RF64', 'BW64'];
/** First bytes of the GUIDs `riff` and `wave`. */
const W64_RIFF = '726966662e91cf11a5d628db04c10000';

const PCM_FORMATS = [0x01, 0x03, 0x06, 0x07];
const EXTENSIBLE = 0xff_fe;
const GSM = 0x31;
const IMA = 0x11;
const MICROSOFT_ADPCM = 0x02;
const MPEG = [0x50, 0x55];

/** More chunks than any recorder writes. */
const MAX_CHUNKS = 1_000;

interface Layout {
  /** Bytes of a chunk's name and size. */
  header: number;
  /** Chunks begin at a multiple of this. */
  align: number;
}

interface Format {
  tag: number;
  channels: number;
  rate: number;
  block: number;
  bits: number;
  samplesPerBlock: number;
}

/** Returns the facts of a WAV recording, or undefined if the file is none. */
export async function readWav(tokenizer: ITokenizer): Promise<WavFacts | undefined> {
  const head = await peek(tokenizer, 0, 40);
  const isW64 = head.toString('hex', 0, 16) === W64_RIFF;
  const isRiff = RIFF_NAMES.includes(head.toString('latin1', 0, 4)) && head.toString('latin1', 8, 12) === 'WAVE';
  if (!isW64 && !isRiff) return undefined;
  return readChunks(tokenizer, isW64 ? 40 : 12, isW64 ? { header: 24, align: 8 } : { header: 8, align: 2 });
}

async function readChunks(tokenizer: ITokenizer, first: number, { header, align }: Layout): Promise<WavFacts> {
  const { size = 0 } = tokenizer.fileInfo;
  let format: Format | undefined;
  let longSize: number | undefined;
  let samples: number | undefined;
  let at = first;
  for (let count = 0; count < MAX_CHUNKS && at + header <= size; count++) {
    const bytes = await peek(tokenizer, at, header + 40);
    if (bytes.length < header) break;
    const name = bytes.toString('latin1', 0, 4);
    const body = bytes.subarray(header);
    const stated = header === 24 ? Number(bytes.readBigUInt64LE(16)) - header : bytes.readUInt32LE(4);
    if (name === 'ds64' && body.length >= 16) longSize = Number(body.readBigUInt64LE(8));
    if (name === 'fmt ' && body.length >= 16) format = readFormat(body, stated);
    if (name === 'fact' && body.length >= 4) samples = body.readUInt32LE(0);
    if (name === 'data') {
      const start = at + header;
      const long = stated === 0xff_ff_ff_ff && longSize !== undefined ? longSize : stated;
      if (stated === 0 && NEXT_CHUNKS.includes(body.toString('latin1', 0, 4)))
        return { ...channelsOf(format), duration_s: 0 };
      // Recorders write the size at the end. If they crashed, the sound ends with the file.
      const data = long <= 0 || start + long > size ? size - start : long;
      return { ...channelsOf(format), duration_s: format ? measure(format, data, samples) : null };
    }
    at += header + Math.max(0, stated);
    at += (align - ((at - first) % align)) % align;
  }
  // A chunk that ends behind the file may hide the sound.
  return { ...channelsOf(format), duration_s: at > size + align ? null : 0 };
}

/** Chunks that recorders write behind the sound. */
const NEXT_CHUNKS = ['LIST', 'id3 ', 'ID3 ', 'fact', 'cue ', 'bext', 'smpl', 'JUNK'];

const channelsOf = (format: Format | undefined) => ({ channels: format?.channels || null });

function readFormat(body: Buffer, size: number): Format {
  const tag = body.readUInt16LE(0);
  const hasMore = size >= 20 && body.length >= 26;
  return {
    tag: tag === EXTENSIBLE && hasMore ? body.readUInt16LE(24) : tag,
    channels: body.readUInt16LE(2),
    rate: body.readUInt32LE(4),
    block: body.readUInt16LE(12),
    bits: body.readUInt16LE(14),
    samplesPerBlock: hasMore && tag !== EXTENSIBLE ? body.readUInt16LE(18) : 0,
  };
}

/** Returns the seconds of `data` bytes; null if the format does not show them. */
function measure(format: Format, data: number, samples: number | undefined): number | null {
  const { tag, rate, block } = format;
  if (data === 0) return 0;
  if (rate === 0) return null;
  // The stated byte rate of MPEG sound is often wrong.
  if (MPEG.includes(tag)) return samples ? samples / rate : null;
  const perBlock = samplesPerBlock(format);
  if (perBlock > 0 && block > 0) {
    const measured = (Math.ceil(data / block) * perBlock) / rate;
    // The last block may be filled up; `fact` has the exact count.
    const exact = (samples ?? 0) / rate;
    return Math.abs(exact - measured) <= perBlock / rate ? exact : measured;
  }
  return samples ? samples / rate : null;
}

function samplesPerBlock({ tag, channels, block, bits, samplesPerBlock: stated }: Format): number {
  if (PCM_FORMATS.includes(tag)) return 1;
  if (stated > 0) return stated;
  if (tag === GSM) return 320;
  const left = block - (tag === IMA ? 4 : 7) * channels;
  if ((tag === IMA || tag === MICROSOFT_ADPCM) && channels > 0 && left > 0) {
    return Math.floor((left * 8) / ((bits || 4) * channels)) + (tag === IMA ? 1 : 2);
  }
  return 0;
}
