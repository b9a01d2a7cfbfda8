/**
 * Checks when a process starts that it uses the encryption keys, the store of recordings, the Temporal namespace and the database of
 * the installation's other processes. The first start stores them.
 */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { AudioMissingError, INSTALLATION_KEY as KEY, type AudioStore } from '../runtime/audio/store.ts';
import { createAudioStore } from '../runtime/audio/create-store.ts';
import type { Config } from '../runtime/settings/config.ts';
import { StartError } from '../runtime/process/process.ts';
import { createSecretBox, type SecretBox } from '../runtime/secrets/secrets.ts';
import type { Log } from '../runtime/telemetry/log.ts';
import { findNamespace, isTemporalUnavailable, type TemporalCaller } from '../runtime/temporal/connect.ts';
import { waitUntilThere } from '../runtime/process/wait-until-there.ts';
import { isDatabaseUnavailable } from './connect.ts';

interface Installation {
  id: string;
  /** IDs of the keys that stored secrets may be encrypted with. Null before the first start. */
  encryption_keys: string[] | null;
  /** Whether the ID was written to the store of recordings. */
  has_audio_mark: boolean;
  temporal_namespace: string | null;
  temporal_namespace_id: string | null;
}

const table = (db: Knex) => db<Installation>('installation');

/** Returns the row, which the first call creates. Later calls write nothing: a process also starts on a read-only server. */
async function readInstallation(db: Knex): Promise<Installation> {
  const found = await table(db).first();
  if (found) return found;
  await db.raw('insert into installation default values on conflict do nothing');
  return (await table(db).first()) as Installation;
}

const WAY_OUT = 'If the installation has moved or lost it, start once with INSTALLATION_MOVED=true.';

interface StartChecks {
  db: Knex;
  config: Pick<Config, 'audio' | 'encryptionKeys' | 'hasMoved'>;
  log: Log;
}

/**
 * Throws `StartError` with the name of the setting that differs: `ENCRYPTION_KEYS`, `AUDIO_STORE` or `DATABASE_URL`. With
 * `INSTALLATION_MOVED`, stores the settings of this process.
 */
export async function checkInstallation({ db, config, log }: StartChecks): Promise<void> {
  const audio = createAudioStore(config.audio);
  const { keyIds } = createSecretBox(config.encryptionKeys);
  if (config.hasMoved) await forget(db, audio, log);
  const installation = await readInstallation(db);
  const used = installation.encryption_keys ?? keyIds;
  if (!used.every((key) => keyIds.includes(key))) {
    throw new StartError(
      `ENCRYPTION_KEYS lacks a key that encrypts stored secrets: add the key that the other processes use, or run npm run reseal with both keys first. ${WAY_OUT}`,
    );
  }
  const isMarked = await markStore(audio, installation, log);
  const encryption_keys = [...new Set([...used, ...keyIds.slice(0, 1)])];
  const has_audio_mark = installation.has_audio_mark || isMarked;
  const isKnown = installation.encryption_keys?.length === encryption_keys.length;
  if (isKnown && has_audio_mark === installation.has_audio_mark) return;
  await table(db).update({ encryption_keys, has_audio_mark });
}

/** Makes the next check store the settings of its process, as the first start does. */
async function forget(db: Knex, audio: AudioStore, log: Log): Promise<void> {
  log.warn('INSTALLATION_MOVED accepts the settings of this process. Remove it after this start.');
  await table(db).delete();
  await audio.remove(KEY);
}

/** Writes the installation's ID into a store without one. Returns whether the store has it; false if the store does not work now. */
async function markStore(audio: AudioStore, { id, has_audio_mark }: Installation, log: Log): Promise<boolean> {
  try {
    const found = await readMark(audio);
    if (found === id) return true;
    if (found !== undefined) {
      throw new StartError(
        `DATABASE_URL and AUDIO_STORE belong to different installations: correct the one that differs from the other processes. ${WAY_OUT}`,
      );
    }
    if (has_audio_mark) {
      throw new StartError(
        `AUDIO_STORE leads to another store than that of the other processes: correct it. ${WAY_OUT}`,
      );
    }
    const staged = await audio.stage(Readable.from([Buffer.from(id)]), AbortSignal.timeout(MARK_MS));
    await staged.keepAs(KEY);
    return true;
  } catch (err) {
    if (err instanceof StartError) throw err;
    log.warn({ err }, 'could not check whether AUDIO_STORE is that of the other processes');
    return false;
  }
}

/** Returns whether the store of recordings is that of the database, which a start does not know if the store failed. */
export const isOwnStore = async (db: Knex, audio: AudioStore): Promise<boolean> =>
  (await readMark(audio)) === (await readInstallation(db)).id;

const MARK_MS = 10_000;

async function readMark(audio: AudioStore): Promise<string | undefined> {
  try {
    return await text(await audio.open(KEY, { range: { start: 0, end: 63 }, signal: AbortSignal.timeout(MARK_MS) }));
  } catch (error) {
    if (error instanceof AudioMissingError) return undefined;
    throw error;
  }
}

/** Throws `StartError` with the name of the setting if another namespace of Temporal was used before. Waits during outages. */
export const checkNamespace = (db: Knex, temporal: TemporalCaller, log: Log): Promise<void> =>
  waitUntilThere(log, async () => {
    try {
      await compareNamespace(db, await findNamespace(temporal));
      return undefined;
    } catch (error) {
      if (isTemporalUnavailable(error) || isDatabaseUnavailable(error)) return 'Temporal or PostgreSQL';
      throw error;
    }
  });

async function compareNamespace(db: Knex, { name, id }: { name: string; id: string }): Promise<void> {
  if ((await readInstallation(db)).temporal_namespace_id === null) {
    await table(db).whereNull('temporal_namespace_id').update({ temporal_namespace: name, temporal_namespace_id: id });
  }
  const { temporal_namespace: used, temporal_namespace_id } = await readInstallation(db);
  if (temporal_namespace_id === id) return;
  throw new StartError(
    used === name
      ? `TEMPORAL_ADDRESS leads to another Temporal than that of the other processes, or its namespace ${name} was created again. ${WAY_OUT}`
      : `TEMPORAL_NAMESPACE is ${name}, but the other processes use ${used}: correct it. ${WAY_OUT}`,
  );
}

/** Stores that only the first key still encrypts secrets, so the others can be removed. */
export const keepFirstKey = (db: Knex, { keyIds }: Pick<SecretBox, 'keyIds'>) =>
  table(db).update({ encryption_keys: keyIds.slice(0, 1) });
