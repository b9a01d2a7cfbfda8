import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runCommand } from './support/run-command.ts';

const SCRIPT = fileURLToPath(new URL('../scripts/unless-passed.ts', import.meta.url));

describe('A check that passed on the very same files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'unless-passed-'));
    execFileSync('git', ['init', '--quiet', folder]);
    writeFileSync(join(folder, 'a.txt'), 'one');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const check = async (command: string) => {
    const env = { XDG_CACHE_HOME: join(folder, '.git', 'cache') };
    const { output, code } = await runCommand(process.execPath, [SCRIPT, 'sh', '-c', command], env, { cwd: folder });
    return [output.split('\n')[0], code];
  };

  it('is not run again, until a file is changed or added', async () => {
    expect(await check('echo ran')).to.deep.equal(['ran', 0]);
    expect(await check('echo ran')).to.deep.equal(['Passed before on these very files: sh -c echo ran', 0]);
    writeFileSync(join(folder, 'a.txt'), 'two');
    expect(await check('echo ran')).to.deep.equal(['ran', 0]);
    writeFileSync(join(folder, 'b.txt'), '');
    expect(await check('echo ran')).to.deep.equal(['ran', 0]);
  });

  it('is run again where it failed, or where it is another', async () => {
    expect(await check('echo ran; exit 3')).to.deep.equal(['ran', 3]);
    expect(await check('echo ran; exit 3')).to.deep.equal(['ran', 3]);
    expect(await check('echo ran')).to.deep.equal(['ran', 0]);
  });
});
