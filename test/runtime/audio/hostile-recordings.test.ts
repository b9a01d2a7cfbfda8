import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectAudio } from '../../../runtime/audio/inspect-audio.ts';
import { UnfitAudioError } from '../../../runtime/audio/unfit-audio.ts';
import { audioFolder, fixturePath } from '../../support/audio.ts';
import { expectNoBlock } from '../../support/longest-block.ts';
import { MADE_RECORDINGS } from '../../support/made-recordings.ts';

/** In one process, most of these files would take more memory than 512 MB, or many seconds without a pause. */
const WORST = {
  'FLAC, short comments': 16_000_000,
  'FLAC, empty comments': 4_000_000,
  'MP4, stsd': 60_000_000,
  'MP4, stts': 60_000_000,
  'MP4, tracks': 16_000_000,
  'MP4, long tags': 60_000_000,
  'M4A, covers': 16_000_000,
  'M4A, places': 4_000_000,
  'WebM, tags': 16_000_000,
  'WebM, attachments': 60_000_000,
  'Ogg, streams': 4_000_000,
  'MP3, text frames': 16_000_000,
};

const MAX_BLOCK_MS = 50;
const MAX_BYTES = 60_000_000;

/** Names of files with a sound that plays. */
const HAVE_SOUND = /^(?:M4A|FLAC|WebM, tags|MP3)/;

describe('A recording with millions of table entries or tags', () => {
  const path = join(audioFolder(), 'hostile');
  after(() => rmSync(path, { force: true }));

  for (const [name, size] of Object.entries(WORST)) {
    it(`is accepted without a length or refused, and costs nobody else time or memory: ${name}`, async () => {
      writeFileSync(path, MADE_RECORDINGS[name]?.(size) ?? '');
      const before = process.memoryUsage();
      await expectNoBlock(MAX_BLOCK_MS, async () => {
        const hostile = inspectAudio(path, 'hostile').then(
          (facts) => expect(facts.media_type).to.match(/^audio\//),
          (error: unknown) =>
            expect([error instanceof UnfitAudioError, HAVE_SOUND.test(name)]).to.deep.equal([true, false]),
        );
        const other = await inspectAudio(fixturePath('tone.mp3'), 'other');
        expect(other).to.include({ media_type: 'audio/mpeg', duration_s: 2.088 });
        await hostile;
      });
      const now = process.memoryUsage();
      expect(now.heapUsed + now.external - before.heapUsed - before.external).to.be.below(MAX_BYTES);
    }).timeout(60_000);
  }
});
