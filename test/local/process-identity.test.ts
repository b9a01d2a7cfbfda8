import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { identifyProcess, readLivePid } from '../../local/process-identity.ts';

describe('the identity of a process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cas-identity-'));
  const file = join(directory, 'pid');
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('stays the same while the process runs', () => {
    const identity = identifyProcess(process.pid);
    expect(identity).to.match(new RegExp(`^${process.pid} .+`));
    expect(identifyProcess(process.pid)).to.equal(identity);
  });

  it('is gone with the process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    const { pid = 0 } = child;
    writeFileSync(file, identifyProcess(pid) ?? '');
    expect(readLivePid(file)).to.equal(pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(identifyProcess(pid)).to.equal(undefined);
    expect(readLivePid(file)).to.equal(undefined);
  });

  it('is not that of a later process with the same id', () => {
    writeFileSync(file, `${process.pid} 1`);
    expect(readLivePid(file)).to.equal(undefined);
  });

  for (const content of ['', 'nonsense', '0', '-1', '1']) {
    it(`is nobody's where the file says ${JSON.stringify(content)}`, () => {
      writeFileSync(file, content);
      expect(readLivePid(file)).to.equal(undefined);
    });
  }

  it("is nobody's where there is no file", () => {
    expect(readLivePid(join(directory, 'missing'))).to.equal(undefined);
  });
});
