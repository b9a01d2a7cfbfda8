import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIRECTORY = 'test/workflows/histories';
/** Folder of the next release's histories, which may be recorded again. */
const IN_THE_MAKING = 'next';

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

interface Recorded {
  path: string;
  /** The commit that added the file to the folder of the release. */
  commit: string;
}

/** Returns all histories of releases in the Git history, including removed ones. */
function findRecorded(): Recorded[] {
  const options = ['--reverse', '--diff-filter=A', '--no-renames', '--name-only', '--format=@%H'];
  const log = git('log', ...options, '--', DIRECTORY);
  const recorded = new Map<string, Recorded>();
  let commit = '';
  for (const line of log.split('\n').filter((each) => each !== '')) {
    if (line.startsWith('@')) commit = line.slice(1);
    else if (isOfRelease(line) && !recorded.has(line)) recorded.set(line, { path: line, commit });
  }
  return [...recorded.values()];
}

/** Returns whether the file belongs to a supported release. An unsupported release has no folder. */
function isOfRelease(path: string): boolean {
  const [release = '', file] = path.slice(DIRECTORY.length + 1).split('/');
  return file !== undefined && release !== IN_THE_MAKING && existsSync(join(ROOT, DIRECTORY, release));
}

/** Returns the histories that were changed or removed after they were recorded. */
function findChanges(recorded: readonly Recorded[], readNow: (path: string) => string | undefined): string[] {
  return recorded.flatMap(({ path, commit }) => {
    const now = readNow(path);
    if (now === undefined) return [`${path} was removed`];
    const then = execFileSync('git', ['show', `${commit}:${path}`], { cwd: ROOT, encoding: 'utf8' });
    return now === then ? [] : [`${path} was changed`];
  });
}

const readFile = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : undefined);

describe('The histories of a release', () => {
  let recorded: Recorded[];
  before(function () {
    try {
      recorded = findRecorded();
    } catch {
      this.skip(); // an unpacked archive without Git history
    }
    // There is none before the first release.
    if (recorded.length === 0) this.skip();
    // A shallow clone does not contain the history.
    if (git('rev-parse', '--is-shallow-repository') === 'true') this.skip();
  });

  it('are unchanged and complete', () => {
    expect(findChanges(recorded, readFile)).to.deep.equal([]);
  });

  it('are reported if they are changed or removed', () => {
    const [first, second] = recorded as [Recorded, Recorded];
    const change = (path: string) => (path === second.path ? undefined : `${readFile(path) ?? ''} `);
    expect(findChanges([first, second], change)).to.deep.equal([
      `${first.path} was changed`,
      `${second.path} was removed`,
    ]);
  });
});
