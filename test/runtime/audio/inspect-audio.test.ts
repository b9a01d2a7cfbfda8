import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectAudio } from '../../../runtime/audio/inspect-audio.ts';
import { run } from '../../../runtime/audio/read-facts.ts';
import { UnfitAudioError } from '../../../runtime/audio/unfit-audio.ts';
import { audioFolder, fixture, toneWav } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';

const WAV = toneWav({ channels: 1, seconds: 3 });
const DATA = WAV.subarray(44);

/** Returns a copy with changed 32-bit numbers. */
function patched(bytes: Buffer, ...numbers: [offset: number, value: number][]): Buffer {
  const copy = Buffer.from(bytes);
  for (const [offset, value] of numbers) copy.writeUInt32LE(value, offset);
  return copy;
}

/** A WAV file with 64-bit sizes. EBU Tech 3306. */
function rf64(name: string, data = DATA, longSize = data.length): Buffer {
  const ds64 = Buffer.alloc(36);
  ds64.write('ds64');
  ds64.writeUInt32LE(28, 4);
  ds64.writeBigUInt64LE(BigInt(longSize), 16);
  const head = patched(WAV.subarray(0, 44), [4, 0xff_ff_ff_ff], [40, 0xff_ff_ff_ff]);
  head.write(name);
  return Buffer.concat([head.subarray(0, 12), ds64, head.subarray(12), data]);
}

/** Sony's W64, whose chunks have GUIDs and sizes that include their headers. */
function w64(data = DATA): Buffer {
  const chunk = (guid: string, body: Buffer, size = 24 + body.length) => {
    const head = Buffer.alloc(24);
    Buffer.from(guid, 'hex').copy(head);
    head.writeBigUInt64LE(BigInt(size), 16);
    return Buffer.concat([head, body]);
  };
  const wave = Buffer.from('77617665f3acd3118cd100c04f8edb8a', 'hex');
  const format = chunk('666d7420f3acd3118cd100c04f8edb8a', WAV.subarray(20, 36));
  const sound = chunk('64617461f3acd3118cd100c04f8edb8a', data);
  const all = Buffer.concat([wave, format, sound]);
  return chunk('726966662e91cf11a5d628db04c10000', all);
}

function withBrand(name: string, brand: string): Buffer {
  const copy = fixture(name);
  copy.write(brand, 8, 'latin1');
  return copy;
}

const mp3 = fixture('tone.mp3');
/** Bytes that look random and are the same in every run. */
const noise = (length: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 0xff));
/** Plain AAC of one channel, and behind it the mark of parametric stereo. */
const PARAMETRIC = Buffer.from(fixture('android.m4a'));
PARAMETRIC.write('158856e5a54880', PARAMETRIC.indexOf('158856e500', 'hex'), 'hex');
const opus = fixture('opus.ogg');
const webm = fixture('streamed.webm');

describe('What a file contains', () => {
  const path = join(audioFolder(), 'inspected');
  const inspect = (bytes: Buffer) => {
    writeFileSync(path, bytes);
    return inspectAudio(path, 'owner');
  };
  after(() => rmSync(path, { force: true }));

  for (const [title, bytes, media_type, duration_s, more] of [
    ['an M4A of an Android recorder', fixture('android.m4a'), 'audio/mp4', 3.128, { channels: 1 }],
    ...['3gp5', '3g2a', 'M4B ', 'mp71', 'f4a ', 'XAVC', 'qt  ', 'zzzz'].map(
      (brand) => [`an MP4 of the brand ${brand}`, withBrand('tone.m4a', brand), 'audio/mp4', 2.064] as const,
    ),
    ['an M4A with parametric stereo', PARAMETRIC, 'audio/mp4', 3.128, { channels: null }],
    ['a QuickTime file', fixture('phone.mov'), 'audio/mp4', 3.128],
    ['a fragmented MP4', fixture('fragmented.mp4'), 'audio/mp4', 3.072, { channels: 1 }],
    ['two audio tracks', fixture('two-tracks.mp4'), 'audio/mp4', 3.128, { audio_tracks: 2, channels: null }],
    ['RF64', rf64('RF64'), 'audio/wav', 3],
    ['BW64', rf64('BW64'), 'audio/wav', 3],
    ['RF64 of a recorder that crashed', rf64('RF64', DATA, 0), 'audio/wav', 3],
    ['W64', w64(), 'audio/wav', 3],
    ['WAV with the size 0', patched(WAV, [4, 0], [40, 0]), 'audio/wav', 3],
    ['WAV with a placeholder for the size', patched(WAV, [40, 0xff_ff_ff_ff]), 'audio/wav', 3],
    ['WAV with too large a size', patched(WAV, [40, 2_000_000_000]), 'audio/wav', 3],
    ['WAV that is cut off', WAV.subarray(0, 44 + 24_000), 'audio/wav', 1.5],
    ['WAV of two channels without a size', patched(toneWav({ channels: 2 }), [40, 0]), 'audio/wav', 2, { channels: 2 }],
    ['GSM without fact', fixture('gsm-no-fact.wav'), 'audio/wav', 3],
    ['MP3 in WAV without fact', fixture('mp3-no-fact.wav'), 'audio/wav', null],
    ['IMA with fact', fixture('ima.wav'), 'audio/wav', 3.062],
    ['MP3 behind zeros', Buffer.concat([Buffer.alloc(512), mp3]), 'audio/mpeg', 2.088],
    ['MP3 behind 300 kB of zeros', Buffer.concat([Buffer.alloc(300_000), mp3]), 'audio/mpeg', 2.088],
    ['MP3 behind text', Buffer.concat([Buffer.from('ICY 200 OK\r\n\r\n'), mp3]), 'audio/mpeg', 2.088],
    ['MP3 behind a part of a frame', mp3.subarray(900), 'audio/mpeg', null],
    ['a clip of a longer Opus stream', fixture('clip-of-stream.ogg'), 'audio/ogg', 17.115],
    ['FLAC in Ogg', fixture('flac-in-ogg.oga'), 'audio/ogg', 3],
    ['chained Ogg streams', Buffer.concat([opus, fixture('vorbis.ogg'), opus]), 'audio/ogg', 6],
    ['Ogg that is cut off', opus.subarray(0, Math.floor(opus.length * 0.75)), 'audio/ogg', undefined],
  ] as readonly (readonly [string, Buffer, string, (number | null)?, object?])[]) {
    it(`is found in ${title}, with its length`, async () => {
      const facts = await inspect(bytes);
      expect(facts.media_type).to.equal(media_type);
      if (duration_s != null) expect(facts.duration_s).to.be.closeTo(duration_s, duration_s * 0.02);
      if (duration_s === null) expect(facts.duration_s ?? 2).to.be.within(1.8, 2.1);
      expect(facts).to.include(more ?? {});
    });
  }

  for (const [title, bytes, reason] of [
    ['WAV with only headers', WAV.subarray(0, 44), 'empty'],
    [
      'WAV with only headers and metadata',
      Buffer.concat([patched(WAV.subarray(0, 44), [40, 0]), Buffer.from('LIST\u0004\0\0\0INFO')]),
      'empty',
    ],
    ['WAV of 50 ms', WAV.subarray(0, 44 + 800), 'empty'],
    ['RF64 with only headers', rf64('RF64', Buffer.alloc(0)), 'empty'],
    ['W64 with only headers', w64(Buffer.alloc(0)), 'empty'],
    ['Ogg with only headers', fixture('headers-only.ogg'), 'empty'],
    ['FLAC without frames', fixture('tone.flac').subarray(0, flacStart(fixture('tone.flac'))), 'empty'],
    ['WebM without a cluster', webm.subarray(0, webm.indexOf('1f43b675', 'hex')), 'empty'],
    [
      'MP4 without an index',
      Buffer.concat([fixture('tone.m4a').subarray(0, 32), Buffer.from('\0\0\0\u0010mdat12345678')]),
      'not_audio',
    ],
    ['PCM without headers', DATA, 'not_audio'],
    ['noise', noise(1_500_000), 'not_audio'],
    [
      'single frames of MP3 in noise',
      Buffer.concat(Array.from({ length: 50 }, () => Buffer.concat([Buffer.from('fffb9064', 'hex'), noise(1_001)]))),
      'not_audio',
    ],
    ['CAF', fixture('phone.caf'), 'not_audio'],
  ] as const) {
    it(`is refused in ${title}`, async () => {
      expect(await errorOf(inspect(bytes)))
        .to.be.instanceOf(UnfitAudioError)
        .and.to.include({ reason });
    });
  }

  it('is looked for in 100,000 hostile bytes in less than a second', async () => {
    const pieces = [
      'ff',
      'fffb9064',
      'fffb',
      '4f676753',
      '00',
      '52494646',
      '0000000866747970',
      '664c6143',
      '1a45dfa3',
      '64617461',
    ];
    for (const head of [
      '',
      rf64('RF64').toString('hex', 0, 90),
      w64().toString('hex', 0, 104),
      opus.toString('hex', 0, 60),
      '000000146674797071742020',
    ]) {
      for (const piece of pieces) {
        const { user } = process.cpuUsage();
        writeFileSync(path, Buffer.from(head + piece.repeat(200_000 / piece.length), 'hex'));
        await run(path, () => undefined);
        expect((process.cpuUsage().user - user) / 1_000, `${head.slice(0, 8)} ${piece}`).to.be.below(1_000);
      }
    }
  });
});

/** Returns the end of the headers. */
function flacStart(bytes: Buffer): number {
  for (let at = 4; ;) {
    const isLast = bytes.readUInt8(at) >= 128;
    at += 4 + bytes.readUIntBE(at + 1, 3);
    if (isLast) return at;
  }
}
