/** Downloads or builds a program once and caches it. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Reports the progress of a long step. */
export type Say = (line: string) => void;

/** Returns the cache folder, which all checkouts on the machine share. */
export function cacheDir(env: Record<string, string | undefined>): string {
  const directory = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'conversation-analysis-service');
  mkdirSync(directory, { recursive: true });
  return directory;
}

/**
 * Returns `target`, a file or folder. If it does not exist, calls `fetch` with an empty folder and moves the path that `fetch`
 * returns to `target`. If several processes do so at the same time, the first result stays.
 */
export async function fetchOnce(target: string, fetch: (folder: string) => Promise<string>): Promise<string> {
  if (existsSync(target)) return target;
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(`${target}.unfinished-`);
  try {
    const fetched = await fetch(folder);
    try {
      renameSync(fetched, target);
    } catch (error) {
      // A folder cannot replace one that another process has moved there meanwhile.
      if (!existsSync(target)) throw error;
    }
    return target;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
