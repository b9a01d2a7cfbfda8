/**
 * A copy of what `npm start` keeps, while it runs or not. Temporal comes first, the recordings last: the database is the
 * truth, and what Temporal lacks of it is mended by sweeps, while what it has in advance would be done again.
 */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../runtime/config.ts';
import type { Config } from '../../runtime/config.ts';
import type { Environment } from '../../runtime/environment.ts';
import { StartError } from '../../runtime/process.ts';
import { openDataDir, readSecrets } from '../data-dir.ts';
import type { LocalSecrets } from '../data-dir.ts';
import { CLUSTER, findRunningPostgres, giveToServer } from '../postgres.ts';
import { fromDataDir, NOT_STARTED } from '../settings.ts';
import type { Say } from '../go-program.ts';
import { TEMPORAL_DATABASE } from '../temporal-server.ts';
import { copyIdleCluster, copyRunningCluster } from './copy-cluster.ts';
import { copyTree } from './copy-tree.ts';
import { keyId, readManifest, writeManifest } from './manifest.ts';
import { createRecorder, requireEmpty } from './parts.ts';

/** Beside the data, and never in a copy of it. */
const SECRETS = 'secrets.json';
const AUDIO = 'audio';

export async function backUpFolder(env: Environment, target: string, say: Say): Promise<void> {
  const { path, secrets, config } = readSettings(env);
  requireEmpty(target);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const recorder = createRecorder(say);
  await recorder.record('temporal', () => copyTemporal(join(path, TEMPORAL_DATABASE), join(target, TEMPORAL_DATABASE)));
  await recorder.record('postgres', () => copyPostgres(path, secrets, join(target, CLUSTER)));
  const { store } = config.audio;
  if (store.kind === 's3') say(`Recordings are in s3://${store.bucket} and not in the copy: keep them there.`);
  else await recorder.record('recordings', () => copyRecordings(store.directory, join(target, AUDIO)));
  const key_ids = config.encryptionKeys.map(keyId);
  await writeManifest(target, { shape: 'folder', parts: recorder.parts, key_ids });
}

export async function restoreFolder(env: Environment, source: string, say: Say): Promise<void> {
  const path = resolve(env['DATA_DIR'] || '.data');
  requireEmpty(path, [SECRETS]);
  const { config } = readSettings(env);
  const { shape } = await readManifest(source, config.encryptionKeys);
  if (shape !== 'folder')
    throw new StartError('The copy is of an installation with servers: set DATABASE_URL to restore it.');
  const { store } = config.audio;
  if (store.kind === 'folder') {
    requireEmpty(store.directory);
    copyRecordings(join(source, AUDIO), store.directory);
  }
  copyTree(join(source, CLUSTER), join(path, CLUSTER));
  giveToServer(join(path, CLUSTER));
  copyFileSync(join(source, TEMPORAL_DATABASE), join(path, TEMPORAL_DATABASE));
  chmodSync(join(path, TEMPORAL_DATABASE), 0o600);
  say(`Restored into ${path}. npm start goes on with it.`);
}

function readSettings(env: Environment): { path: string; secrets: LocalSecrets; config: Config } {
  const path = resolve(env['DATA_DIR'] || '.data');
  const secrets = readSecrets(join(path, SECRETS));
  if (!secrets) {
    throw new StartError(
      `${join(path, SECRETS)} is missing. It holds the keys and is in no copy: keep it elsewhere, and put it there before a restore.`,
    );
  }
  const config = readConfig({ ...fromDataDir({ path, secrets }, env), ...env, ...NOT_STARTED });
  return { path, secrets, config };
}

async function copyTemporal(file: string, target: string): Promise<void> {
  if (!existsSync(file)) return;
  const database = new DatabaseSync(file, { readOnly: true });
  await backup(database, target);
  database.close();
}

async function copyPostgres(path: string, { postgres_password }: LocalSecrets, target: string): Promise<void> {
  const cluster = join(path, CLUSTER);
  const url = findRunningPostgres(path, postgres_password);
  if (url !== undefined) return copyRunningCluster(cluster, target, url);
  // Held, so that nobody starts on the data meanwhile.
  const directory = openDataDir(path);
  try {
    copyIdleCluster(cluster, target);
  } finally {
    directory.release();
  }
}

function copyRecordings(source: string, target: string): void {
  if (existsSync(source) && readdirSync(source).length > 0) copyTree(source, target);
}
