/** Downloads or builds a program once and caches it. */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Reports the progress of a long step. */
export type Say = (line: string) => void;

/** Returns the cache folder, which all checkouts on the machine share. */
export function cacheDir(env: Record<string, string | undefined>): string {
  const directory = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'conversation-analysis-service');
  mkdirSync(directory, { recursive: true });
  return directory;
}

const RETRY_MS = 200;
const SQLITE_BUSY = 5;

interface FetchOptions {
  /** Name for the progress message of waiting processes. */
  title: string;
  say: Say;
  signal?: AbortSignal | undefined;
}

/**
 * Returns `target`, a file or folder. If it does not exist, one process calls `fetch` with an empty folder and moves the path
 * that `fetch` returns to `target`, while other processes wait. If `fetch` throws, this function throws too, and the next
 * waiting process tries.
 */
export async function fetchOnce(
  target: string,
  { title, say, signal }: FetchOptions,
  fetch: (folder: string) => Promise<string>,
): Promise<string> {
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const unlock = await lock(
    `${target}.lock`,
    () => say(`${title}: waiting until another process has installed it …`),
    signal,
  );
  const folder = `${target}.unfinished`;
  try {
    // Left by a process that was killed.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    if (!existsSync(target)) renameSync(await fetch(folder), target);
    return target;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    unlock();
  }
}

/**
 * Waits for an exclusive lock and returns a function that releases it. Locks an empty SQLite database, because Node has no
 * other file lock that the operating system releases when the process dies.
 */
async function lock(file: string, reportWait: () => void, signal: AbortSignal | undefined): Promise<() => void> {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let tries = 0; !tryLock(database); tries++) {
      if (tries === 0) reportWait();
      await sleep(RETRY_MS, undefined, signal && { signal });
    }
  } catch (error) {
    database.close();
    throw error;
  }
  return () => database.close();
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
