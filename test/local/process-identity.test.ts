import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { identifyProcess, readLivePid } from '../../local/process-identity.ts';
import { newFolder } from '../support/new-folder.ts';

describe('The identity of a process', () => {
  const file = join(newFolder(), 'pid');

  it('stays the same while the process runs', () => {
    const identity = identifyProcess(process.pid);
    expect(identity).to.match(new RegExp(`^${process.pid} .+`));
    expect(identifyProcess(process.pid)).to.equal(identity);
  });

  it('ends with the process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    const { pid = 0 } = child;
    writeFileSync(file, identifyProcess(pid) ?? '');
    expect(readLivePid(file)).to.equal(pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identifyProcess(pid)).to.equal(undefined);
    expect(readLivePid(file)).to.equal(undefined);
  });

  it('is not read from an invalid or a missing file', () => {
    // The last file is that of a former process with the same ID.
    for (const content of ['', 'nonsense', '0', '-1', '1', `${process.pid} 1`]) {
      writeFileSync(file, content);
      expect(readLivePid(file), content).to.equal(undefined);
    }
    expect(readLivePid(`${file}-missing`)).to.equal(undefined);
  });
});
