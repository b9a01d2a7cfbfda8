import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the folder of the programs that were fetched or built for this project; all its copies on the machine share
 * it.
 */
export function cacheDir(env: Record<string, string | undefined>): string {
  const base = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const directory = join(base, 'conversation-analysis-service');
  mkdirSync(directory, { recursive: true });
  return directory;
}
