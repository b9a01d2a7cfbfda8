import { existsSync, readdirSync } from 'node:fs';
import { StartError } from '../../runtime/process.ts';
import type { Say } from '../go-program.ts';
import type { Manifest } from './manifest.ts';

/** Takes one part of a copy after the other, and keeps when. */
export function createRecorder(say: Say) {
  const parts: Manifest['parts'] = [];
  return {
    parts,
    async record(name: string, take: () => Promise<void> | void): Promise<void> {
      say(`${name}: copying …`);
      const began_at = new Date().toISOString();
      await take();
      parts.push({ name, began_at, ended_at: new Date().toISOString() });
    },
  };
}

/** Throws `StartError` where the folder holds anything but what is allowed: nothing is ever overwritten. */
export function requireEmpty(folder: string, allowed: readonly string[] = []): void {
  if (!existsSync(folder)) return;
  const found = readdirSync(folder).filter((name) => !allowed.includes(name));
  if (found.length > 0)
    throw new StartError(`${folder} is not empty (${found.slice(0, 3).join(', ')}). Name another folder.`);
}
