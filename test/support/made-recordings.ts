/** Makes recordings whose tables, tags and headers are as large as a file may be. Their parsers take much time and memory. */
import { fixture } from './audio.ts';

const ascii = (text: string) => Buffer.from(text, 'latin1');

function number(value: number, length: number, isLittle = false): Buffer {
  const bytes = Buffer.alloc(length);
  if (isLittle) bytes.writeUIntLE(value, 0, length);
  else bytes.writeUIntBE(value, 0, length);
  return bytes;
}

/** Returns about `size` bytes that repeat a piece. */
const repeated = (piece: Buffer, size: number) =>
  Buffer.alloc(Math.max(1, Math.floor(size / piece.length)) * piece.length, piece);

/** Cuts the size into pieces of at most `most` bytes. */
function inPieces(size: number, most: number, make: (size: number) => Buffer): Buffer {
  const count = Math.max(1, Math.ceil(size / most));
  return repeated(make(Math.floor(size / count)), size);
}

// FLAC: RFC 9639.
const MAX_BLOCK = 0xff_ff_ff;
const flacBlock = (type: number, body: Buffer) => Buffer.concat([number(type, 1), number(body.length, 3), body]);
const flac = (blocks: Buffer) => {
  const whole = fixture('tone.flac');
  return Buffer.concat([whole.subarray(0, 42), blocks, flacBlock(0x81, Buffer.alloc(4)), whole.subarray(-8_000)]);
};
const vorbisComments = (size: number, comment: string) => {
  const one = Buffer.concat([number(comment.length, 4, true), ascii(comment)]);
  const all = repeated(one, size);
  return Buffer.concat([number(0, 4, true), number(all.length / one.length, 4, true), all]);
};
const flacOf = (type: number, make: (size: number) => Buffer) => (size: number) =>
  flac(inPieces(size, MAX_BLOCK - 100, (each) => flacBlock(type, make(each - 4))));

// MP4: ISO 14496-12.
const box = (name: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([number(body.length + 8, 4), ascii(name), body]);
};
const ftyp = box('ftyp', ascii('M4A \0\0\0\0M4A mp42isom'));
const table = (name: string, entry: Buffer, size: number) => {
  const entries = repeated(entry, size);
  return box(name, number(0, 4), number(entries.length / entry.length, 4), entries);
};
const SOUND = box('mp4a', Buffer.from('0000000000000001000000000000000000020010000000001f400000', 'hex'));
const MEDIA = [
  box('mdhd', Buffer.from('00000000000000000000000000001f40000000000000000000', 'hex')),
  box('hdlr', Buffer.alloc(8), ascii('soun'), Buffer.alloc(13)),
];
const track = (...tables: Buffer[]) =>
  box('trak', box('mdia', ...MEDIA, box('minf', box('stbl', table('stsd', SOUND, 1), ...tables))));
const mp4 = (...inside: Buffer[]) =>
  Buffer.concat([ftyp, box('moov', box('mvhd', Buffer.alloc(100)), ...inside), box('mdat', Buffer.alloc(1_000))]);
const MAX_TABLE = 15_000_000;
const mp4Of = (name: string, entry: Buffer) => (size: number) =>
  mp4(inPieces(size, MAX_TABLE, (each) => track(table(name, entry, each - 300))));
/** Returns a real recording with more boxes in its index. */
const m4a = (...boxes: Buffer[]) => {
  const whole = fixture('tone.m4a');
  const index = whole.indexOf('moov') - 4;
  return Buffer.concat([whole.subarray(0, index), box('moov', whole.subarray(index + 8), ...boxes)]);
};
const data = (text: string) => box('data', number(1, 4), number(0, 4), ascii(text));

// WebM: RFC 9559.
const element = (id: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(id, 'hex'), number(1, 1), Buffer.alloc(1), number(body.length, 6), body]);
};
const webm = (...inside: Buffer[]) =>
  Buffer.concat([element('1a45dfa3', element('4282', ascii('webm'))), element('18538067', ...inside)]);
const TRACK = element(
  'ae',
  element('d7', number(1, 1)),
  element('83', number(2, 1)),
  element('86', ascii('A_OPUS')),
  element('e1', element('9f', number(1, 1))),
);
const CLUSTER = element('1f43b675', element('e7', number(0, 1)), element('a3', Buffer.alloc(2_000, 0x81)));
const webmOf = (outer: string, inner: Buffer) => (size: number) =>
  webm(element('1654ae6b', TRACK), element(outer, repeated(inner, size)), CLUSTER);

// Ogg: RFC 3533.
const page = (flags: number, sequence: number, body: Buffer, serial = 1) => {
  const segments = Math.ceil((body.length + 1) / 255);
  const lacing = Buffer.alloc(Math.min(255, segments), 255);
  if (segments <= 255) lacing[segments - 1] = body.length % 255;
  const head = Buffer.alloc(27);
  head.write('OggS');
  head.writeUInt8(flags, 5);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(sequence, 18);
  head.writeUInt8(lacing.length, 26);
  return Buffer.concat([head, lacing, body]);
};
const OPUS = page(2, 0, Buffer.concat([ascii('OpusHead'), Buffer.from('0101000080bb0000000000', 'hex')]));

// ID3v2.4.
const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f));
const frame = (name: string, body: Buffer) =>
  Buffer.concat([ascii(name), sevenBits(body.length), Buffer.alloc(2), body]);
const id3Of = (piece: Buffer) => (size: number) => {
  const frames = repeated(piece, size);
  return Buffer.concat([ascii('ID3\u0004\0\0'), sevenBits(frames.length), frames, fixture('tone.mp3')]);
};

/** Files of about `size` bytes, by what is repeated. */
export const MADE_RECORDINGS: Record<string, (size: number) => Buffer> = {
  'FLAC, short comments': flacOf(4, (size) => vorbisComments(size - 8, 'a=b')),
  'FLAC, empty comments': flacOf(4, (size) => vorbisComments(size - 8, '')),
  'MP4, stsd': (size) => mp4(inPieces(size, MAX_TABLE, (each) => track(table('stsd', SOUND, each)))),
  'MP4, stts': mp4Of('stts', Buffer.from('0000000100000400', 'hex')),
  'MP4, tracks': (size) => mp4(repeated(track(), size)),
  'M4A, covers': (size) => {
    const cover = box('covr', box('data', number(13, 4), number(0, 4), Buffer.alloc(100)));
    return m4a(box('udta', box('meta', number(0, 4), box('ilst', repeated(cover, size)))));
  },
  'M4A, places': (size) =>
    m4a(box('udta', repeated(box('\u00a9xyz', number(4, 2), number(0, 2), ascii('+1+1')), size))),
  'MP4, long tags': (size) =>
    mp4(
      track(),
      box(
        'udta',
        box(
          'meta',
          number(0, 4),
          box(
            'ilst',
            inPieces(size, MAX_TABLE, (each) => box('\u00a9nam', data('a'.repeat(each)))),
          ),
        ),
      ),
    ),
  'WebM, tags': webmOf(
    '1254c367',
    element('7373', element('63c0'), element('67c8', element('45a3', ascii('A')), element('4487', ascii('b')))),
  ),
  'WebM, attachments': webmOf(
    '1941a469',
    element('61a7', element('466e', ascii('a')), element('465c', Buffer.alloc(1_000))),
  ),
  'Ogg, streams': (size) =>
    Buffer.concat(Array.from({ length: Math.floor(size / 48) }, (_, at) => page(2, 0, OPUS.subarray(28), at))),
  'MP3, text frames': id3Of(frame('TXXX', ascii('\u0003a\0b'))),
};
