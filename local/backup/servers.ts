/**
 * A copy of an installation with servers of its own: each database by `pg_dump`, which sees one moment of it. The order
 * is that of folder.ts, for its reason.
 */
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { readConfig } from '../../runtime/config.ts';
import type { Environment } from '../../runtime/environment.ts';
import { StartError } from '../../runtime/process.ts';
import type { Say } from '../go-program.ts';
import { copyTree } from './copy-tree.ts';
import { keyId, readManifest, writeManifest } from './manifest.ts';
import { createRecorder, requireEmpty } from './parts.ts';

const AUDIO = 'audio';

/** Settings of the copy alone: the service itself never reaches Temporal's databases. */
const TEMPORAL_URLS = ['TEMPORAL_DATABASE_URL', 'TEMPORAL_VISIBILITY_DATABASE_URL'] as const;

export async function backUpServers(env: Environment, target: string, say: Say): Promise<void> {
  const { databases, config } = readSettings(env);
  requireEmpty(target);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const recorder = createRecorder(say);
  for (const { name, url } of databases) {
    const args = ['--format=custom', '--no-owner', '--no-privileges', `--file=${join(target, `${name}.dump`)}`];
    await recorder.record(name, () => runTool('pg_dump', args, url));
  }
  const { store } = config.audio;
  if (store.kind === 's3') say(`Recordings are in s3://${store.bucket} and not in the copy: keep them there.`);
  else await recorder.record('recordings', () => copyTree(store.directory, join(target, AUDIO)));
  const key_ids = config.encryptionKeys.map(keyId);
  await writeManifest(target, { shape: 'servers', parts: recorder.parts, key_ids });
}

export async function restoreServers(env: Environment, source: string, say: Say): Promise<void> {
  const { databases, config } = readSettings(env);
  const { shape } = await readManifest(source, config.encryptionKeys);
  if (shape !== 'servers') throw new StartError('The copy is of npm start: unset DATABASE_URL to restore it.');
  for (const { name, url } of databases) await requireNoTables(name, url);
  const { store } = config.audio;
  if (store.kind === 'folder') {
    requireEmpty(store.directory);
    copyTree(join(source, AUDIO), store.directory);
  }
  for (const { name, url } of databases) {
    say(`${name}: restoring …`);
    const args = ['--no-owner', '--no-privileges', '--exit-on-error', '--dbname', new URL(url).pathname.slice(1)];
    await runTool('pg_restore', [...args, join(source, `${name}.dump`)], url);
  }
  await makeOverdue(config.database.url);
  say('Restored. Start Temporal, run `npm run migrate`, then start workers and APIs.');
}

/**
 * Has the first sweeps look at all that is not done, in place of those that are overdue by their own time: what began
 * between the two copies has no run in Temporal's, which is the older one.
 */
async function makeOverdue(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('update sessions set check_after = now() where completed_at is null');
  await client.query("update deliveries set check_after = null where status = 'pending'");
  await client.end();
}

function readSettings(env: Environment) {
  const missing = TEMPORAL_URLS.filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new StartError(
      `${missing.join(' and ')} must name Temporal's databases, as postgresql://user:password@host:port/name.`,
    );
  }
  const config = readConfig(env);
  const [temporal = '', visibility = ''] = TEMPORAL_URLS.map((name) => env[name]);
  const databases = [
    { name: 'temporal', url: temporal },
    { name: 'temporal_visibility', url: visibility },
    { name: 'service', url: config.database.url },
  ];
  return { config, databases };
}

/** Runs one of PostgreSQL's own programs; the password is in no argument, which every user of a machine can read. */
async function runTool(program: string, args: readonly string[], databaseUrl: string): Promise<void> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const env = {
    PATH: process.env['PATH'] ?? delimiter,
    PGHOST: hostname,
    PGPORT: port || '5432',
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
  try {
    await promisify(execFile)(program, [...args], { env });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    const reason = code === 'ENOENT' ? `${program} of the server's version must be on the PATH.` : stderr.trim();
    throw new StartError(`${program} failed: ${reason}`);
  }
}

async function requireNoTables(name: string, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rowCount } = await client.query("select from pg_tables where schemaname = 'public' limit 1");
  await client.end();
  if (rowCount !== 0) throw new StartError(`The database ${name} is not empty. Restore into a new one.`);
}
