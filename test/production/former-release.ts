/** Gets the former release from the project's Git history, to upgrade from it and roll back to it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cacheDir, type Say } from '../../local/fetch-once.ts';
import { StartError } from '../../runtime/process.ts';
import type { Release } from './service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

async function run(command: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, encoding: 'utf8' });
  return stdout.trim();
}

const git = (...args: string[]) => run('git', args, ROOT);

/** Returns the commit that last changed the first migration. It counts as the former release while there are no tags. */
const findFirstCommit = () => git('log', '-1', '--format=%H', '--', 'db/migrations/tables.sql');

/** Returns the commit of a tag or commit name; undefined if this clone does not contain it. */
const findCommit = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => undefined);

/**
 * Returns the release with its sources and dependencies, from the project's cache.
 * @param name a tag or commit. Default: the newest tag before this commit.
 */
export async function findFormerRelease(name: string | undefined, say: Say): Promise<Release> {
  const wanted = name ?? (await git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^').catch(findFirstCommit));
  const commit = await findCommit(wanted);
  if (commit === undefined) {
    throw new StartError(
      `The former release, ${wanted}, is not in this clone. Get the whole history (git fetch --unshallow --tags), or name another one: --former <tag or commit>.`,
    );
  }
  const buildId = `former-${commit.slice(0, 7)}`;
  const directory = join(cacheDir(process.env), 'releases', commit);
  if (existsSync(directory)) return { buildId, directory };
  say(`The former release, ${wanted}: checking it out and installing what it needs (once; a minute or less) …`);
  const unfinished = `${directory}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = join(dirname(directory), `${commit}.${process.pid}.tar`);
    await git('archive', '--format=tar', `--output=${archive}`, commit);
    await run('tar', ['-xf', archive, '-C', unfinished], ROOT);
    rmSync(archive);
    await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], unfinished);
    renameSync(unfinished, directory);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return { buildId, directory };
}

/** Returns the current checkout as a release. */
export async function describeThisRelease(): Promise<Release> {
  const commit = await git('rev-parse', '--short', 'HEAD').catch(() => 'unknown');
  return { buildId: `this-${commit}`, directory: ROOT };
}
