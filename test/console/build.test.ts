import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuilt } from '../../console/is-built.ts';
import { newFolder } from '../support/new-folder.ts';

const SOURCES = [
  'console/src/main.tsx',
  'contract/fields/conditions.ts',
  'clients/typescript/uploads/index.ts',
  'examples/receivers/receiver.ts',
  'package-lock.json',
];

describe('The build of the console', () => {
  let root: string;
  /** Writes a file with this modification time, in seconds. */
  function write(path: string, second: number): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
    utimesSync(join(root, path), second, second);
  }
  beforeEach(() => {
    root = newFolder();
    for (const path of SOURCES) write(path, 1);
    write('console/dist/theme.js', 5_000_000_000);
  });

  it('is current if no source is newer', () => {
    expect(isBuilt(root)).to.equal(true);
  });

  for (const path of SOURCES) {
    it(`is not current after a change of ${path}`, () => {
      write(path, 5_000_000_001);
      expect(isBuilt(root)).to.equal(false);
    });
  }

  it('is not current after a source was deleted', () => {
    rmSync(join(root, 'contract/fields/conditions.ts'));
    utimesSync(join(root, 'contract'), 5_000_000_001, 5_000_000_001);
    expect(isBuilt(root)).to.equal(false);
  });

  it('is not current before the first build', () => {
    rmSync(join(root, 'console/dist'), { recursive: true });
    expect(isBuilt(root)).to.equal(false);
  });
});
