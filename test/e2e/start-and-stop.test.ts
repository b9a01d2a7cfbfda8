import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import {
  newDirectory,
  removeDirectories,
  runProgram,
  START_TIMEOUT_MS,
  startService,
} from '../support/started-service.ts';

/** The bound that docs/operations.md promises. */
const GONE_TIMEOUT_MS = 15_000;

/** Processes that name the data directory in their command: the service's servers do. */
function findServers(directory: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(directory) && !line.startsWith('ps '));
}

async function expectNothingLeft(directory: string): Promise<void> {
  await eventually(
    () => findServers(directory),
    (left) => left.length === 0,
    GONE_TIMEOUT_MS,
  );
}

/** Returns whether the program, or what it has started in its own group, is there. */
function isGroupThere({ pid = Number.NaN }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

const run = (directory: string, env: Record<string, string> = {}) =>
  runProgram('local/main.ts', { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, ...env });

describe('a local start that is ended', function () {
  this.timeout(3 * START_TIMEOUT_MS);
  const launched: ChildProcess[] = [];
  /** Of the tests that need no data directory of their own: a first start takes the longest. */
  let used: string;
  before(() => {
    used = newDirectory();
  });
  after(() => {
    for (const child of launched.filter(isGroupThere)) process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
    removeDirectories();
  });

  it('by Ctrl-C while it starts, whenever that is, leaves nothing behind, and the next start works', async () => {
    const directory = newDirectory();
    for (const said of ['PostgreSQL: starting', 'Temporal: starting', 'Vendors: no key']) {
      const interrupted = run(directory);
      await eventually(interrupted.output, (text) => text.includes(said), START_TIMEOUT_MS);
      interrupted.signal('SIGINT');
      expect(await interrupted.ended).to.deep.equal({ code: 1, signal: null });
      expect(interrupted.output()).to.contain('Stopped before it was ready.').and.not.to.contain('    at ');
      await expectNothingLeft(directory);
    }
    const whole = await startService(directory);
    expect((await fetch(`${whole.url}/readyz`)).status).to.equal(200);
    await whole.stop();
  });

  it('by a second Ctrl-C at once, or by kill -9, leaves nothing behind', async () => {
    for (const signals of [['SIGINT', 'SIGINT'], ['SIGKILL']] as const) {
      const service = await startService(used);
      for (const signal of signals) service.signal(signal);
      await service.ended;
      await expectNothingLeft(used);
    }
  });

  for (const script of ['start', 'dev']) {
    it(`by a kill of npm run ${script}, as scripts do it, leaves nothing behind`, async () => {
      const child = spawn('npm', ['run', script], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, PORT: '0', DATA_DIR: used },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      launched.push(child);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await eventually(
        () => output,
        (text) => text.includes('Ready.'),
        START_TIMEOUT_MS,
      );
      expect(findServers(used)).not.to.deep.equal([]);
      child.kill('SIGTERM');
      await expectNothingLeft(used);
      await eventually(
        () => isGroupThere(child),
        (isThere) => !isThere,
        GONE_TIMEOUT_MS,
      );
    });
  }

  it('by a port that is taken, says so in one sentence before it starts a server', async () => {
    const directory = newDirectory();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const program = run(directory, { PORT: String(port) });
    expect(await program.ended).to.include({ code: 1 });
    other.close();
    expect(program.output().trim().split('\n')).to.have.length(1);
    expect(program.output()).to.contain(`Port ${port} `).and.to.contain('Set PORT');
  });
});
