import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies a folder with all below it. What vanishes meanwhile is left out.
 * @param skips whether a path, relative to `source`, is left out.
 */
export function copyTree(source: string, target: string, skips: (path: string) => boolean = () => false): void {
  copyFolder('');

  function copyFolder(folder: string): void {
    mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
    for (const entry of readdirSync(join(source, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (skips(path)) continue;
      if (entry.isDirectory()) copyFolder(path);
      else ifThere(() => copyFileSync(join(source, path), join(target, path)));
    }
  }
}

function ifThere(copy: () => void): void {
  try {
    copy();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
