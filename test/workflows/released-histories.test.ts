import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIRECTORY = 'test/workflows/histories';
/** What is not released yet may be recorded anew. */
const IN_THE_MAKING = 'next';

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

interface Recorded {
  path: string;
  /** The commit that brought it into the release's folder. */
  commit: string;
}

/** Returns the histories that the project's own history knows of releases, also those that are gone. */
function findRecorded(): Recorded[] {
  const log = git(
    'log',
    '--reverse',
    '--diff-filter=A',
    '--no-renames',
    '--name-only',
    '--format=@%H',
    '--',
    DIRECTORY,
  );
  const recorded = new Map<string, Recorded>();
  let commit = '';
  for (const line of log.split('\n').filter((each) => each !== '')) {
    if (line.startsWith('@')) commit = line.slice(1);
    else if (isOfRelease(line) && !recorded.has(line)) recorded.set(line, { path: line, commit });
  }
  return [...recorded.values()];
}

/** Returns whether the file belongs to a release that is still supported: a release goes with its whole folder. */
function isOfRelease(path: string): boolean {
  const [release = '', file] = path.slice(DIRECTORY.length + 1).split('/');
  return file !== undefined && release !== IN_THE_MAKING && existsSync(join(ROOT, DIRECTORY, release));
}

/** Returns what has become of the histories since they were recorded. */
function findChanges(recorded: readonly Recorded[], readNow: (path: string) => string | undefined): string[] {
  return recorded.flatMap(({ path, commit }) => {
    const now = readNow(path);
    if (now === undefined) return [`${path} was removed`];
    const then = execFileSync('git', ['show', `${commit}:${path}`], { cwd: ROOT, encoding: 'utf8' });
    return now === then ? [] : [`${path} was changed`];
  });
}

const readFile = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : undefined);

describe('the histories of a release', () => {
  let recorded: Recorded[];
  before(function () {
    try {
      recorded = findRecorded();
    } catch {
      this.skip(); // an unpacked archive has no history of its own
    }
    // A clone of the newest commit alone can't tell.
    if (git('rev-parse', '--is-shallow-repository') === 'true') this.skip();
  });

  it('stay as they were recorded, all of them', () => {
    expect(recorded).not.to.be.empty;
    expect(findChanges(recorded, readFile)).to.deep.equal([]);
  });

  it('would be seen to change: one that was recorded anew or removed', () => {
    const [first, second] = recorded as [Recorded, Recorded];
    const change = (path: string) => (path === second.path ? undefined : `${readFile(path) ?? ''} `);
    expect(findChanges([first, second], change)).to.deep.equal([
      `${first.path} was changed`,
      `${second.path} was removed`,
    ]);
  });
});
