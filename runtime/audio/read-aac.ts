/** Reads the number of channels of AAC in MP4: the sample entry says 2 for any number. ISO 14496-14 §5.6 and 14496-3 §1.6.2. */
import type { ITokenizer } from 'strtok3';
import { peek } from './find-frames.ts';

/** Bytes of the index in which the description of the sound is expected. */
const MAX_SEARCHED = 1024 * 1024;

/** Descriptors that lead to the configuration of the decoder, with the bytes between their length and the next one. */
const DESCRIPTORS = [
  [0x03, 3],
  [0x04, 13],
  [0x05, 0],
] as const;

/** AAC with parametric stereo: one channel becomes two. Its type, or the marks of SBR and of parametric stereo behind that of plain AAC. */
const PARAMETRIC_STEREO = 29;
const SBR = 0x56e5;
const STEREO_MARK = 0x548;

/** @param index position of the `moov` box. Returns null if the file does not show the number. */
export async function readAacChannels(tokenizer: ITokenizer, index: number): Promise<number | null> {
  const bytes = await peek(tokenizer, index, MAX_SEARCHED);
  const name = bytes.indexOf('esds', 0, 'latin1');
  if (name === -1) return null;
  let at = name + 8;
  for (const [tag, more] of DESCRIPTORS) {
    if (bytes[at] !== tag) return null;
    at += 1;
    // The length has a bit for "more bytes follow" in each byte, of which there are at most four.
    for (let count = 0; count < 3 && (bytes[at] ?? 0) >= 0x80; count++) at += 1;
    at += 1 + more;
  }
  const config = bytes.subarray(at, at + 7);
  if (config.length < 7) return null;
  const bits = config.readUInt16BE(0);
  const [type, rate, channels] = [bits >> 11, (bits >> 7) & 15, (bits >> 3) & 15];
  const isStereo = config.readUInt16BE(2) === SBR && (config.readUInt16BE(4) & 0x7ff) === STEREO_MARK;
  if (isStereo && config.readUInt8(6) >= 128) return null;
  // Type 31 and rate 15 have longer forms.
  if (type === PARAMETRIC_STEREO || type === 31 || rate === 15 || channels === 0 || channels > 7) return null;
  return channels === 7 ? 8 : channels;
}
