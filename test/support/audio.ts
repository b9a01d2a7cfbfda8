/** Recordings for tests: small real files, and the folder in which the test services store recordings. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { AudioMissingError, type AudioDigest, type AudioStore } from '../../runtime/audio/store.ts';
import { createAudioStore } from '../../runtime/audio/create-store.ts';
import { createSession } from './factories.ts';
import { runDirectory } from './run.ts';

let folder: string | undefined;

/** Returns the folder of this process. It is removed at the end of the run. */
export const audioFolder = () => (folder ??= mkdtempSync(join(runDirectory(), 'recordings-')));

/** Returns the store that services with `testConfig` use. */
export const testAudioStore = () => createAudioStore({ store: { kind: 'folder', directory: audioFolder() } });

/** Returns whether a store contains the recording. Default: the store of `testAudioStore`. */
export async function hasRecording(key: string, store: AudioStore = testAudioStore()): Promise<boolean> {
  try {
    (await store.open(key)).destroy();
    return true;
  } catch (error) {
    if (error instanceof AudioMissingError) return false;
    throw error;
  }
}

export const fixturePath = (name: string) => new URL(`../fixtures/audio/${name}`, import.meta.url).pathname;

export const fixture = (name: string) => readFileSync(fixturePath(name));

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Stores a recording under a key. */
export async function putAudio(
  store: AudioStore,
  key: string,
  source: Readable,
  signal: AbortSignal = new AbortController().signal,
): Promise<AudioDigest> {
  const staged = await store.stage(source, signal);
  try {
    await staged.keepAs(key, signal);
    return { bytes: staged.bytes, sha256: staged.sha256 };
  } finally {
    await staged.discard();
  }
}

/** Creates a session with a recording, a tone of two seconds. */
export async function createVoiceSession(
  assistant: AssistantModel,
  fields: Partial<SessionModel> = {},
): Promise<SessionModel> {
  const session = await createSession(assistant, { type: 'voice', ...fields });
  const source = createReadStream(fixturePath('tone.mp3'));
  const digest = await putAudio(testAudioStore(), session.id, source);
  return SessionModel.query()
    .patch({
      audio: { key: session.id, file_name: 'call.mp3', media_type: 'audio/mpeg', duration_s: 2.088, ...digest },
    })
    .where({ id: session.id })
    .returning('*')
    .first()
    .throwIfNotFound();
}

/** Returns a WAV file of 16 bit with a tone of a different pitch on each channel. */
export function toneWav({
  channels,
  seconds = 2,
  rate = 8_000,
}: {
  channels: number;
  seconds?: number;
  rate?: number;
}): Buffer {
  const frames = rate * seconds;
  const data = Buffer.alloc(frames * channels * 2);
  for (let frame = 0; frame < frames; frame++) {
    for (let channel = 0; channel < channels; channel++) {
      const sample = Math.sin((2 * Math.PI * 220 * (channel + 1) * frame) / rate) * 8_000;
      data.writeInt16LE(Math.round(sample), (frame * channels + channel) * 2);
    }
  }
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
