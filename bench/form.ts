/** The form of a voice request as bytes, so that it can be sent often, or be too large to be held. */

const BOUNDARY = 'boundary-of-the-bench';

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Returns the bytes before and after the recording. */
export function voiceForm(assistantId: string, fileName: string): { head: Buffer; tail: Buffer } {
  const part = (name: string, more = '') =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`;
  const head = `${part('assistant_id')}\r\n${assistantId}\r\n${part('audio_file', `; filename="${fileName}"`)}\r\n`;
  return { head: Buffer.from(head), tail: Buffer.from(`\r\n--${BOUNDARY}--\r\n`) };
}

export interface LargeForm {
  head: Buffer;
  tail: Buffer;
  /** Size of the recording. */
  bytes: number;
}

const NOISE = Buffer.alloc(64 * 1_024, 'a recording that nobody hears');

/** Yields the form with a recording of noise. */
export function* chunksOf({ head, tail, bytes }: LargeForm): Generator<Buffer> {
  const wav = wavHeader(bytes);
  yield head;
  yield wav;
  for (let left = bytes - wav.length; left > 0; left -= NOISE.length) yield NOISE.subarray(0, left);
  yield tail;
}

/** Returns the header of a file of 16-bit stereo at 44.1 kHz with so many bytes. */
function wavHeader(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(bytes - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(44_100, 24);
  header.writeUInt32LE(176_400, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes - 44, 40);
  return header;
}
