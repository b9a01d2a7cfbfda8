import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { endWithRun } from './run.ts';
import { isAlive, START_TIMEOUT_MS } from './started-service.ts';

const RUN = fileURLToPath(new URL('run-to-be-killed.ts', import.meta.url));

describe('A test run', () => {
  it('leaves no servers, programs, browsers and files behind when it is killed', async function () {
    this.timeout(START_TIMEOUT_MS);
    const runner = spawn(process.execPath, [RUN], { stdio: ['ignore', 'pipe', 'inherit'] });
    endWithRun(runner.pid!);
    const [line] = (await once(createInterface(runner.stdout), 'line')) as [string];
    const { directory, pids } = JSON.parse(line) as { directory: string; pids: number[] };
    expect(pids).to.have.length.above(4);
    expect(pids.filter(isAlive)).to.deep.equal(pids);

    runner.kill('SIGKILL');

    await eventually(() => pids.filter(isAlive), [], START_TIMEOUT_MS);
    await eventually(() => existsSync(directory), false, START_TIMEOUT_MS);
  });
});
