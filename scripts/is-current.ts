import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const changedAt = (path: string) => statSync(path).mtimeMs;

/** Returns the file or folder and everything below it, except build outputs. */
function walk(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules');
  return [path, ...names.flatMap((name) => walk(join(path, name)))];
}

/** Returns whether `output` exists and nothing in `sources` is newer. A deleted file changes the time of its folder. */
export function isCurrent(output: string, sources: string[]): boolean {
  if (!existsSync(output)) return false;
  const builtAt = changedAt(output);
  return sources.flatMap(walk).every((path) => changedAt(path) <= builtAt);
}
