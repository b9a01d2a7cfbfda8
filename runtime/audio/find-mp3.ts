/** Finds MP3 frames behind other bytes, such as zeros. ISO 11172-3 and 13818-3. */
import type { ITokenizer } from 'strtok3';

/** Bytes that may precede the first frame. */
const MAX_BEFORE = 1024 * 1024;

/** Consecutive frames that are read if the file has as many. Raw samples look like one frame now and then. */
const FRAMES = 5;
const MIN_FRAMES = 2;

const BIT_RATES: Record<string, readonly number[]> = {
  '1.1': [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1.2': [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1.3': [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2.1': [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2.2': [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** Returns the position of the first frame that others follow; undefined if there is none. */
export async function findMp3(tokenizer: ITokenizer): Promise<number | undefined> {
  const { size = 0 } = tokenizer.fileInfo;
  const bytes = Buffer.alloc(Math.min(size, MAX_BEFORE + 16_384));
  await tokenizer.peekBuffer(bytes, { position: 0, mayBeLess: true });
  for (let at = bytes.indexOf(0xff); at !== -1 && at < MAX_BEFORE; at = bytes.indexOf(0xff, at + 1)) {
    if (isFollowed(bytes, at)) return at;
  }
  return undefined;
}

function isFollowed(bytes: Buffer, first: number): boolean {
  let at = first;
  for (let frames = 0; frames < FRAMES; frames++) {
    if (at + 4 > bytes.length) return frames >= MIN_FRAMES;
    const length = frameLength(bytes.readUInt32BE(at));
    // Version, layer and sample rate are the same in every frame.
    const isSame = ((bytes.readUInt32BE(at) ^ bytes.readUInt32BE(first)) & 0xff_fe_0c_00) === 0;
    if (length === 0 || !isSame) return false;
    at += length;
  }
  return true;
}

/** Returns the bytes of the frame with this header; 0 if it is none. */
function frameLength(header: number): number {
  if (header >>> 21 !== 0x7_ff) return 0;
  const version = (header >>> 19) & 3;
  const layer = 4 - ((header >>> 17) & 3);
  const rateIndex = (header >>> 10) & 3;
  const bitRate =
    BIT_RATES[`${version === 3 ? 1 : 2}.${version === 3 ? layer : Math.min(layer, 2)}`]?.[((header >>> 12) & 15) - 1];
  if (version === 1 || layer === 4 || rateIndex === 3 || bitRate === undefined) return 0;
  const rate = (SAMPLE_RATES[rateIndex] ?? 0) / (version === 3 ? 1 : version === 2 ? 2 : 4);
  const padding = (header >>> 9) & 1;
  if (layer === 1) return (Math.floor((12_000 * bitRate) / rate) + padding) * 4;
  return Math.floor(((version !== 3 && layer === 3 ? 72_000 : 144_000) * bitRate) / rate) + padding;
}
