/**
 * `node scripts/unless-passed.ts <command …>` runs a command that depends on nothing but the files of the folder it is
 * run in, unless it has passed on these very files before; then it says so. What passed is noted in the user's cache directory.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from '../local/cache-dir.ts';

const [, , command = '', ...args] = process.argv;
const note = findNote();
if (note !== undefined && existsSync(note)) {
  process.stdout.write(`Passed before on these very files: ${command} ${args.join(' ')}\n`);
} else {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  // Where files were changed meanwhile, nobody knows what it has seen.
  if (status === 0 && note !== undefined && note === findNote()) writeFileSync(note, '');
  process.exitCode = status ?? 1;
}

/** Returns where it is noted that the command passed on the files as they are; undefined where Git cannot list them. */
function findNote(): string | undefined {
  const hash = createHash('sha256').update(
    [process.version, process.platform, process.arch, command, ...args].join('\0'),
  );
  try {
    // Those that are not committed yet count too; what the installation brings is told by the lock file.
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for (const path of listed.split('\0').filter(Boolean).sort()) {
      const content = existsSync(path) ? readFileSync(path) : 'gone';
      hash.update(`\0${path}\0${content.length}\0`).update(content);
    }
  } catch {
    return undefined;
  }
  const directory = join(cacheDir(process.env), 'passed');
  mkdirSync(directory, { recursive: true });
  return join(directory, hash.digest('hex'));
}
