/** Recordings for tests: small real files, and the folder in which the run's services keep what they get. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { SessionModel } from '../../db/models/session.ts';
import { AudioMissingError } from '../../runtime/audio/errors.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import { createAudioStore } from '../../runtime/audio/create-store.ts';
import { createSession } from './factories.ts';
import { runDirectory } from './run.ts';

let folder: string | undefined;

/** Returns the folder of this process; it goes with the run. */
export const audioFolder = () => (folder ??= mkdtempSync(join(runDirectory(), 'recordings-')));

/** The store that services with `testConfig` use. */
export const testAudioStore = () => createAudioStore({ store: { kind: 'folder', directory: audioFolder() } });

/** Returns whether a store has the recording; by default the one of `testAudioStore`. */
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

/** A session with a recording in the store, two seconds of a tone. */
export async function createVoiceSession(
  assistant: AssistantModel,
  fields: Partial<SessionModel> = {},
): Promise<SessionModel> {
  const session = await createSession(assistant, { type: 'voice', ...fields });
  const source = createReadStream(fixturePath('tone.mp3'));
  const digest = await testAudioStore().put(session.id, source, new AbortController().signal);
  return SessionModel.query()
    .patch({
      audio: { key: session.id, file_name: 'call.mp3', media_type: 'audio/mpeg', duration_s: 2.088, ...digest },
    })
    .where({ id: session.id })
    .returning('*')
    .first()
    .throwIfNotFound();
}
