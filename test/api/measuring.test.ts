import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { inspectAudio } from '../../api/audio/inspect-audio.ts';
import { audioFolder, fixturePath } from '../support/audio.ts';

/** An MPEG-2 layer III frame of 24 bytes: 8 kbit/s at 24 kHz, mono. A file of them takes long to measure. */
const FRAME = Buffer.concat([Buffer.from([0xff, 0xf3, 0x14, 0xc4]), Buffer.alloc(20)]);
const FRAMES = 100_000;

describe('Measuring recordings', () => {
  it("keeps nobody waiting for another user's many", async () => {
    const slow = join(audioFolder(), 'slow.mp3');
    writeFileSync(slow, Buffer.alloc(FRAMES * FRAME.length, FRAME));
    const ended: string[] = [];
    const measure = (userId: string, path: string) => inspectAudio(userId, path).then(() => void ended.push(userId));
    const greedy = Array.from({ length: 4 }, () => measure('greedy', slow));
    await measure('other', fixturePath('tone.mp3'));
    expect(ended).to.deep.equal(['other']);
    await Promise.all(greedy);
  });
});
