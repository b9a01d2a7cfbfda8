/** Makes recordings whose tables, tags and headers are as large as a file may be. Their parsers take much time and memory. */
import { fixture, toneWav } from './audio.ts';

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
const table = (name: string, entry: Buffer, size: number, before: Buffer = Buffer.alloc(0)) => {
  const entries = repeated(entry, size);
  return box(name, number(0, 4), before, number(entries.length / entry.length, 4), entries);
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
const mp4Of =
  (name: string, entry: Buffer, before: Buffer = Buffer.alloc(0)) =>
  (size: number) =>
    mp4(inPieces(size, MAX_TABLE, (each) => track(table(name, entry, each - 300, before))));
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
const page = (flags: number, sequence: number, body: Buffer, time = 0, serial = 1) => {
  const segments = Math.ceil((body.length + 1) / 255);
  const lacing = Buffer.alloc(Math.min(255, segments), 255);
  if (segments <= 255) lacing[segments - 1] = body.length % 255;
  const head = Buffer.alloc(27);
  head.write('OggS');
  head.writeUInt8(flags, 5);
  head.writeBigInt64LE(BigInt(time), 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt32LE(sequence, 18);
  head.writeUInt8(lacing.length, 26);
  return Buffer.concat([head, lacing, body]);
};
const OPUS = page(2, 0, Buffer.concat([ascii('OpusHead'), Buffer.from('0101000080bb0000000000', 'hex')]));
const MAX_PAGE = 255 * 255;
const oggOf = (make: (size: number) => Buffer) => (size: number) => {
  const packet = make(size);
  const pages = Array.from({ length: Math.ceil(packet.length / MAX_PAGE) }, (_, at) =>
    page(at === 0 ? 0 : 1, at + 1, packet.subarray(at * MAX_PAGE, (at + 1) * MAX_PAGE)),
  );
  return Buffer.concat([OPUS, ...pages, page(0, 9_999, Buffer.alloc(200), 96_000)]);
};

// ID3v2.4 and APEv2.
const sevenBits = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >>> shift) & 0x7f));
const frame = (name: string, body: Buffer) =>
  Buffer.concat([ascii(name), sevenBits(body.length), Buffer.alloc(2), body]);
const id3Of = (piece: Buffer) => (size: number) => {
  const frames = repeated(piece, size);
  return Buffer.concat([ascii('ID3\u0004\0\0'), sevenBits(frames.length), frames, fixture('tone.mp3')]);
};
const ape = (size: number) => {
  const items = repeated(Buffer.concat([number(1, 4, true), number(0, 4, true), ascii('Key\0a')]), size);
  const foot = (flags: number) =>
    Buffer.concat([
      ascii('APETAGEX'),
      number(2_000, 4, true),
      number(items.length + 32, 4, true),
      number(items.length / 13, 4, true),
      number(flags, 4),
      Buffer.alloc(8),
    ]);
  return Buffer.concat([fixture('tone.mp3'), foot(0xa0), items, foot(0x80)]);
};

const chunk = (name: string, body: Buffer) => Buffer.concat([ascii(name), number(body.length, 4, true), body]);
const wav = (...chunks: Buffer[]) => {
  const tone = toneWav({ channels: 1 });
  return Buffer.concat([tone.subarray(0, 36), ...chunks, tone.subarray(36)]);
};

/** Files of about `size` bytes, by what is repeated. */
export const MADE_RECORDINGS: Record<string, (size: number) => Buffer> = {
  'FLAC, short comments': flacOf(4, (size) => vorbisComments(size - 8, 'a=b')),
  'FLAC, empty comments': flacOf(4, (size) => vorbisComments(size - 8, '')),
  'FLAC, one long comment': flacOf(4, (size) => vorbisComments(size - 8, `a=${'b'.repeat(size - 100)}`)),
  'FLAC, comments of 1 kB': flacOf(4, (size) => vorbisComments(size - 8, `a=${'b'.repeat(1_000)}`)),
  'FLAC, seek points': flacOf(3, (size) => repeated(Buffer.alloc(18), size)),
  'FLAC, pictures': flacOf(6, (size) =>
    Buffer.concat([Buffer.alloc(28), number(size - 40, 4), Buffer.alloc(size - 40)]),
  ),
  'FLAC, empty blocks': (size) => flac(repeated(flacBlock(1, Buffer.alloc(0)), size)),
  'FLAC, padding': flacOf(1, (size) => Buffer.alloc(size)),
  'MP4, stsd': (size) => mp4(inPieces(size, MAX_TABLE, (each) => track(table('stsd', SOUND, each)))),
  'MP4, stsc': mp4Of('stsc', Buffer.from('000000010000000100000001', 'hex')),
  'MP4, stsz': mp4Of('stsz', number(400, 4), number(0, 4)),
  'MP4, stts': mp4Of('stts', Buffer.from('0000000100000400', 'hex')),
  'MP4, stco': mp4Of('stco', number(40, 4)),
  'MP4, co64': mp4Of('co64', Buffer.alloc(8)),
  'MP4, ctts': mp4Of('ctts', Buffer.alloc(8)),
  'MP4, tracks': (size) => mp4(repeated(track(), size)),
  'MP4, tags': (size) =>
    mp4(track(), box('udta', box('meta', number(0, 4), box('ilst', repeated(box('\u00a9nam', data('a')), size))))),
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
  'MP4, free': (size) => Buffer.concat([ftyp, box('free', Buffer.alloc(size)), mp4(track()).subarray(ftyp.length)]),
  'MP4, empty boxes': (size) => Buffer.concat([ftyp, repeated(box('free'), size), mp4(track()).subarray(ftyp.length)]),
  'MP4, nested boxes': (size) => {
    const depth = Math.min(20_000, Math.floor(size / 8));
    const heads = Array.from({ length: depth }, (_, at) => Buffer.concat([number((depth - at) * 8, 4), ascii('udta')]));
    return Buffer.concat([
      ftyp,
      box('moov', box('mvhd', Buffer.alloc(100)), Buffer.concat(heads)),
      Buffer.alloc(size - depth * 8),
    ]);
  },
  'MP4, fragments': (size) =>
    Buffer.concat([
      mp4(track()),
      repeated(
        box(
          'moof',
          box('mfhd', Buffer.alloc(8)),
          box('traf', box('tfhd', Buffer.alloc(8)), table('trun', Buffer.alloc(4), 100)),
        ),
        size,
      ),
    ]),
  'WebM, tags': webmOf(
    '1254c367',
    element('7373', element('63c0'), element('67c8', element('45a3', ascii('A')), element('4487', ascii('b')))),
  ),
  'WebM, attachments': webmOf(
    '1941a469',
    element('61a7', element('466e', ascii('a')), element('465c', Buffer.alloc(1_000))),
  ),
  'WebM, chapters': webmOf(
    '1043a770',
    element('45b9', element('b6', element('73c4', number(1, 1)), element('91', number(1, 1)))),
  ),
  'WebM, cues': webmOf(
    '1c53bb6b',
    element('bb', element('b3', number(1, 1)), element('b7', element('f7', number(1, 1)))),
  ),
  'WebM, tracks': (size) => webm(element('1654ae6b', repeated(TRACK, size)), CLUSTER),
  'WebM, empty elements': webmOf('1254c367', Buffer.from('ec80', 'hex')),
  'WebM, clusters': (size) =>
    webm(element('1654ae6b', TRACK), repeated(element('1f43b675', element('e7', number(0, 1))), size)),
  'Ogg, comments': oggOf((size) => Buffer.concat([ascii('OpusTags'), vorbisComments(size, 'a=b')])),
  'Ogg, one long comment': oggOf((size) =>
    Buffer.concat([ascii('OpusTags'), vorbisComments(size, `a=${'b'.repeat(size - 100)}`)]),
  ),
  'Ogg, empty pages': (size) => Buffer.concat([OPUS, repeated(page(0, 1, Buffer.alloc(0)), size)]),
  'Ogg, streams': (size) =>
    Buffer.concat(Array.from({ length: Math.floor(size / 48) }, (_, at) => page(2, 0, OPUS.subarray(28), 0, at))),
  'MP3, text frames': id3Of(frame('TXXX', ascii('\u0003a\0b'))),
  'MP3, comments': id3Of(frame('COMM', ascii('\u0003enga\0b'))),
  'MP3, pictures': id3Of(frame('APIC', Buffer.concat([ascii('\0image/png\0\u0003\0'), Buffer.alloc(1_000)]))),
  'MP3, private frames': id3Of(frame('PRIV', ascii('a\0b'))),
  'MP3, APE items': ape,
  'AAC, frames': (size) => repeated(fixture('tone.aac'), size),
  'WAV, empty chunks': (size) => wav(repeated(chunk('JUNK', Buffer.alloc(0)), size)),
  'WAV, INFO': (size) => wav(chunk('LIST', Buffer.concat([ascii('INFO'), repeated(chunk('INAM', ascii('ab')), size)]))),
};
