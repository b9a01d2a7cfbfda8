/** Looks for sound behind the headers of a file: headers state a length that may be missing. */
import type { IAudioMetadata } from 'music-metadata';
import type { ITokenizer } from 'strtok3';
import { findMp3 } from './find-mp3.ts';

/** Returns up to `length` bytes. */
export async function peek(tokenizer: ITokenizer, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const done = await tokenizer.peekBuffer(bytes, { position, mayBeLess: true });
  return bytes.subarray(0, done);
}

/** Most boxes that are read at the top level of a file. Files without fragments have far fewer. */
const MAX_BOXES = 2_000;

/** Returns the positions of the boxes at the top of an MP4 file by name, each of the first. ISO 14496-12 §4.2. */
export async function readMp4Boxes(tokenizer: ITokenizer): Promise<ReadonlyMap<string, number>> {
  const { size = 0 } = tokenizer.fileInfo;
  const boxes = new Map<string, number>();
  let at = 0;
  for (let count = 0; at + 8 <= size && count < MAX_BOXES; count++) {
    const head = await peek(tokenizer, at, 16);
    const stated = head.readUInt32BE(0);
    const name = head.toString('latin1', 4, 8);
    if (!boxes.has(name)) boxes.set(name, at);
    const length =
      stated === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : stated === 0 ? size - at : stated;
    if (length < 8) break;
    at += length;
  }
  return boxes;
}

const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);

/** Bytes in which the first cluster or frame is expected. Longer files have sound. */
const MAX_SEARCHED = 1024 * 1024;

/** Returns whether a file has no sound behind its headers. @param boxes of an MP4 file. */
export async function isWithoutFrames(
  tokenizer: ITokenizer,
  type: string,
  { duration }: IAudioMetadata['format'],
  boxes: ReadonlyMap<string, number> | undefined,
): Promise<boolean> {
  const { size = 0 } = tokenizer.fileInfo;
  // A fragmented file has its samples beside the index.
  if (boxes) return !duration && !boxes.has('moof');
  if (size > MAX_SEARCHED) return false;
  if (type === 'audio/webm') return !(await peek(tokenizer, 0, size)).includes(CLUSTER);
  if (type === 'audio/mpeg') return !duration && (await findMp3(tokenizer)) === undefined;
  return type === 'audio/flac' && (await isFlacWithoutFrames(tokenizer, size));
}

/** https://www.rfc-editor.org/rfc/rfc9639#section-8 */
async function isFlacWithoutFrames(tokenizer: ITokenizer, size: number): Promise<boolean> {
  const head = await peek(tokenizer, 0, 4);
  if (head.toString('latin1') !== 'fLaC') return false;
  for (let at = 4; at + 4 <= size;) {
    const block = await peek(tokenizer, at, 4);
    at += 4 + block.readUIntBE(1, 3);
    if (block.readUInt8(0) >= 128) return at + 2 >= size;
  }
  return true;
}
