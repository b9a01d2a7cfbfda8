import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fetchOnce } from '../../local/fetch-once.ts';
import { errorOf } from '../support/error-of.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { newFolder } from '../support/new-folder.ts';

const PROCESS = fileURLToPath(new URL('fetch-once-process.ts', import.meta.url));

describe('Getting a shared program', () => {
  let root: string;
  let target: string;
  let log: string;
  beforeEach(() => {
    root = newFolder();
    target = join(root, 'cache', 'program');
    log = join(root, 'log');
  });

  const start = (mode = '') => spawn(process.execPath, [PROCESS, target, log, mode], { stdio: 'ignore' });
  const fetches = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0);
  const options = { title: 'Program', say: () => undefined };

  it('happens once for processes that start at the same time, and leaves nothing but the program and its lock', async () => {
    const exits = await Promise.all(Array.from({ length: 4 }, () => once(start(), 'exit')));
    expect(exits.map(([code]: unknown[]) => code)).to.deep.equal([0, 0, 0, 0]);
    expect(fetches()).to.equal(1);
    expect(readFileSync(target, 'utf8')).to.equal('complete');
    expect(readdirSync(join(root, 'cache')).sort()).to.deep.equal(['program', 'program.lock']);
  });

  it('passes to the next process when the first one is killed', async () => {
    const first = start('hang');
    await eventuallyEqual(fetches, 1);
    const second = start();
    first.kill('SIGKILL');
    expect(await once(second, 'exit')).to.deep.equal([0, null]);
    expect(fetches()).to.equal(2);
    expect(readFileSync(target, 'utf8')).to.equal('complete');
  });

  it('reports what a process waits for, and can be aborted', async () => {
    const first = start('hang');
    await eventuallyEqual(fetches, 1);
    const lines: string[] = [];
    const stopping = new AbortController();
    const say = (line: string) => {
      lines.push(line);
      stopping.abort();
    };
    const waiting = { title: 'Program', signal: stopping.signal, say };
    const aborted = errorOf(fetchOnce(target, waiting, () => Promise.reject(new Error('called'))));
    expect(await aborted).to.have.property('name', 'AbortError');
    expect(lines).to.deep.equal(['Program: waiting until another process has installed it …']);
    first.kill('SIGKILL');
    await once(first, 'exit');
  });

  it('leaves no target when it fails, so the next process tries again', async () => {
    const failure = errorOf(fetchOnce(target, options, () => Promise.reject(new Error('no network'))));
    expect(await failure).to.have.property('message', 'no network');
    expect(existsSync(target)).to.equal(false);
    expect(await once(start(), 'exit')).to.deep.equal([0, null]);
    expect(existsSync(target)).to.equal(true);
  });
});
