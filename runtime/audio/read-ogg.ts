/** Measures Ogg streams by their pages: music-metadata takes the last time of a stream for its length. RFC 3533. */
import type { ITokenizer } from 'strtok3';

interface Stream {
  /** Samples per second of the page's times; 0: not sound. */
  rate: number;
  isOpus: boolean;
  /** Header packets that are left. */
  headers: number;
  /** Packets and time at the end of the first page with sound. */
  firstPackets: number;
  first: number | undefined;
  /** Samples in the first packets; undefined: unknown. */
  firstSamples: number | undefined;
  skip: number;
  packets: number;
  last: number;
}

const PAGE_HEADER = 27;

/** Longest packet in samples that encoders write, except Opus, whose packets state their length. */
const MAX_PACKET_SAMPLES = 8_192;

/**
 * Returns the seconds of an Ogg file: the sum of its chained streams; null if unknown. Returns 0 if no stream has sound.
 * Reads to the end of the file, even if the last page is cut off.
 */
export async function measureOgg(tokenizer: ITokenizer): Promise<number | null> {
  const { size = 0 } = tokenizer.fileInfo;
  const links: Map<number, Stream>[] = [];
  let isStarting = false;
  for (let at = 0; at + PAGE_HEADER <= size;) {
    const page = Buffer.alloc(Math.min(PAGE_HEADER + 255 + 255, size - at));
    await tokenizer.peekBuffer(page, { position: at, mayBeLess: true });
    if (page.toString('latin1', 0, 4) !== 'OggS') break;
    const segments = page.subarray(PAGE_HEADER, PAGE_HEADER + page.readUInt8(26));
    const start = PAGE_HEADER + segments.length;
    const bodySize = segments.reduce((sum, each) => sum + each, 0);
    const serial = page.readUInt32LE(14);
    if ((page.readUInt8(5) & 2) !== 0) {
      if (!isStarting) links.push(new Map());
      isStarting = true;
      links.at(-1)?.set(serial, readStream(page.subarray(start)));
    } else {
      isStarting = false;
      const body = async () => {
        const bytes = Buffer.alloc(bodySize);
        return bytes.subarray(0, await tokenizer.peekBuffer(bytes, { position: at + start, mayBeLess: true }));
      };
      const stream = links.at(-1)?.get(serial);
      if (stream) await addPage(stream, page.readBigInt64LE(6), segments, body);
    }
    at += start + bodySize;
  }
  const lengths = links.map((link) => [...link.values()].filter(({ rate }) => rate > 0).map(lengthOf));
  if (lengths.flat().includes(null)) return null;
  return lengths.reduce((sum, each) => sum + Math.max(0, ...(each as number[])), 0);
}

function readStream(head: Buffer): Stream {
  const is = (magic: string) => head.toString('latin1', 0, magic.length) === magic;
  const none = {
    first: undefined,
    firstPackets: 0,
    firstSamples: undefined,
    skip: 0,
    packets: 0,
    last: 0,
    isOpus: false,
  };
  if (is('OpusHead') && head.length >= 12)
    return { ...none, rate: 48_000, headers: 1, isOpus: true, skip: head.readUInt16LE(10) };
  if (is('\u0001vorbis') && head.length >= 16) return { ...none, rate: head.readUInt32LE(12), headers: 2 };
  if (is('\u007FFLAC') && head.length >= 30)
    return { ...none, rate: head.readUIntBE(27, 3) >> 4, headers: head.readUInt16BE(7) };
  if (is('Speex   ') && head.length >= 40) return { ...none, rate: head.readUInt32LE(36), headers: 1 };
  return { ...none, rate: 0, headers: 0 };
}

async function addPage(stream: Stream, time: bigint, segments: Buffer, body: () => Promise<Buffer>): Promise<void> {
  const ended = segments.filter((length) => length < 255).length;
  if (stream.headers > 0) {
    stream.headers = Math.max(0, stream.headers - ended);
    return;
  }
  // The time is -1 if no packet ends on the page.
  if (ended === 0 || time < 0n) return;
  stream.last = Number(time);
  if (stream.first !== undefined) {
    stream.packets += ended;
    return;
  }
  stream.first = Number(time);
  stream.firstPackets = ended;
  if (stream.isOpus) stream.firstSamples = samplesOfOpus(segments, await body());
}

/** Returns the samples in the packets of a page. RFC 6716 §3.1. */
function samplesOfOpus(segments: Buffer, body: Buffer): number {
  let samples = 0;
  let at = 0;
  let isStart = true;
  for (const length of segments) {
    if (isStart && at + 1 < body.length && length > 0)
      samples += samplesOfPacket(body.readUInt8(at), body.readUInt8(at + 1));
    at += length;
    isStart = length < 255;
  }
  return samples;
}

function samplesOfPacket(toc: number, next: number): number {
  const config = toc >> 3;
  const size = config % 4;
  const frame =
    config < 12 ? [480, 960, 1_920, 2_880][size] : config < 16 ? (config % 2 === 0 ? 480 : 960) : 120 << size;
  const code = toc & 3;
  return (frame ?? 0) * (code === 0 ? 1 : code === 3 ? next & 63 : 2);
}

/** Returns the seconds from the beginning of the first packet to the end of the last one; null if unknown. */
function lengthOf({ rate, first, firstPackets, firstSamples, packets, last, skip }: Stream): number | null {
  if (first === undefined) return 0;
  const start = startOf({ first, firstPackets, firstSamples, packets, last });
  return start === null ? null : Math.max(0, last - start - skip) / rate;
}

/** Returns the time at which the first packet begins: the first page has the time at which its packets end. */
function startOf({
  first,
  firstPackets,
  firstSamples,
  packets,
  last,
}: Pick<Stream, 'firstPackets' | 'firstSamples' | 'packets' | 'last'> & { first: number }) {
  if (firstSamples !== undefined) return Math.max(0, first - firstSamples);
  if (first <= firstPackets * MAX_PACKET_SAMPLES) return 0;
  return packets === 0 ? null : Math.max(0, first - (firstPackets * (last - first)) / packets);
}
