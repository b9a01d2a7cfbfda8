/**
 * A copy of a PostgreSQL cluster while its server works: the embedded PostgreSQL has no pg_basebackup. "Making a Base
 * Backup Using the Low Level API" in PostgreSQL's manual.
 */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { copyTree } from './copy-tree.ts';

/** Whose contents the server makes anew when it starts. */
const EMPTIED = ['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'];
/** What names the server that runs, or is made anew. */
const LEFT_OUT = /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init[^/]*|pgsql_tmp[^/]*)$/;

const skips = (path: string) =>
  LEFT_OUT.test(path) || path.startsWith('pg_wal/') || EMPTIED.some((folder) => path.startsWith(`${folder}/`));

/** Copies the cluster as it is when the copy ends. The server recovers it when it is started on the copy. */
export async function copyRunningCluster(cluster: string, target: string, adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    // Holds the log from here on, and goes with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`);
    const first = await readOne(client, `select pg_walfile_name(pg_backup_start('backup', true)) as value`);
    copyTree(cluster, target, skips);
    const label = await readOne(client, `select labelfile as value from pg_backup_stop(false)`);
    writeFileSync(join(target, 'backup_label'), label);
    copyLog(join(cluster, 'pg_wal'), join(target, 'pg_wal'), first);
  } finally {
    await client.end();
  }
}

/** Copies the segments of the log from `first` on: what changed while the files were copied. */
function copyLog(source: string, target: string, first: string): void {
  mkdirSync(join(target, 'archive_status'), { recursive: true });
  for (const name of readdirSync(source)) {
    const isSegment = /^[0-9A-F]{24}$/.test(name);
    if (isSegment && name >= first) copyFileSync(join(source, name), join(target, name));
  }
}

async function readOne(client: pg.Client, query: string): Promise<string> {
  const { rows } = await client.query<{ value: string }>(query);
  return rows[0]?.value ?? '';
}

/** Copies the cluster of a server that does not run. */
export function copyIdleCluster(cluster: string, target: string): void {
  copyTree(cluster, target, (path) => LEFT_OUT.test(path));
}
