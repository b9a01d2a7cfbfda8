import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Endpoints } from '../../local/start.ts';
import { send } from '../support/api.ts';
import { createDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';
import { addAssistant, register, runProgram, START_TIMEOUT_MS, startService } from '../support/started-service.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';

/** The limit in docs/runbook.md. */
const GONE_TIMEOUT_MS = 15_000;

/** Returns the processes whose command names the data directory, as those of the service's servers do. */
function findServers(directory: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(directory) && !line.startsWith('ps '));
}

const untilNothingLeft = (directory: string) => eventually(() => findServers(directory), [], GONE_TIMEOUT_MS);

/** Returns whether the process, or another one of its group, is alive. */
function isGroupThere({ pid = Number.NaN }: ChildProcess): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

const run = (directory: string, env: Record<string, string> = {}) =>
  runProgram('local/main.ts', { HOST: '127.0.0.1', PORT: '0', DATA_DIR: directory, ...env });

describe('A local start', function () {
  this.timeout(3 * START_TIMEOUT_MS);
  const launched: ChildProcess[] = [];
  /** Shared by the tests, because creating the data takes a second of the processor. */
  let directory: string;
  before(() => {
    directory = newFolder();
  });
  after(() => {
    for (const child of launched.filter(isGroupThere)) process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
  });

  /** Runs the script of package.json in a process group of its own. */
  function launch(script: string, env: Record<string, string>): ChildProcess & { output(): string } {
    const child = spawn('npm', ['run', script], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    launched.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return Object.assign(child, { output: () => output });
  }

  /** Kills npm, and resolves when no process of its group is left. */
  async function killNpm(child: ChildProcess): Promise<void> {
    child.kill('SIGTERM');
    await eventually(() => !isGroupThere(child), Boolean, GONE_TIMEOUT_MS);
  }

  it('by npm start that is killed while its servers start leaves nothing behind', async () => {
    const child = launch('start', { DATA_DIR: directory });
    await eventually(() => findServers(directory).length > 0, Boolean, START_TIMEOUT_MS);
    await killNpm(child);
    await untilNothingLeft(directory);
  });

  it('that is interrupted or killed leaves nothing behind, and the next one works', async () => {
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      const interrupted = run(directory);
      await eventually(interrupted.output, (text) => text.includes('Worker: starting'), START_TIMEOUT_MS);
      interrupted.signal(signal);
      const ended = await interrupted.ended;
      if (signal === 'SIGINT') {
        expect(ended).to.deep.equal({ code: 1, signal: null });
        expect(interrupted.output()).to.contain('Stopped before the service was ready.').and.not.to.contain('    at ');
      }
      await untilNothingLeft(directory);
    }
  });

  it('prints every address, refuses a second start on the same data, and leaves nothing behind after a second Ctrl-C', async () => {
    const first = await startService(directory);
    const { endpoints, output } = first;
    expect(endpoints).to.have.all.keys(
      'api_url',
      'database_url',
      'temporal_address',
      'temporal_namespace',
      'temporal_ui_url',
    );
    const database = new URL(endpoints.database_url);
    for (const address of [endpoints.api_url, endpoints.temporal_address, endpoints.temporal_ui_url, database.host]) {
      expect(output()).to.contain(address);
    }
    expect(output()).not.to.contain(database.password);
    expect((await fetch(endpoints.temporal_ui_url ?? '')).status).to.equal(200);

    const second = run(directory);
    expect(await second.ended).to.include({ code: 1 });
    expect(second.output().trim().split('\n')).to.have.length(1);
    expect(second.output()).to.contain(`already runs on ${directory}`).and.to.contain(String(first.findPids()[0]));
    expect((await fetch(`${endpoints.api_url}/readyz`)).status).to.equal(200);
    expect(existsSync(join(directory, 'endpoints.json'))).to.equal(true);
    for (const signal of ['SIGINT', 'SIGINT'] as const) first.signal(signal);
    await first.ended;
    await untilNothingLeft(directory);
  });

  it('waits for servers of others, and names the setting in its log; a wrong password ends it with one sentence', async () => {
    const folder = newFolder();
    const { address } = await testTemporal();
    const DATABASE_URL = await createDatabase(testDatabase().url, `e2e_${randomUUID().replaceAll('-', '')}`);
    const closed = `127.0.0.1:${await freePort()}`;
    for (const [setting, env] of [
      ['DATABASE_URL', { DATABASE_URL: `postgresql://u:p@${closed}/none`, TEMPORAL_ADDRESS: address }],
      ['TEMPORAL_ADDRESS', { DATABASE_URL, TEMPORAL_ADDRESS: closed }],
      ['TEMPORAL_NAMESPACE', { DATABASE_URL, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'absent' }],
    ] as const) {
      const waiting = run(folder, env);
      await eventually(waiting.output, (text) => text.includes(`(${setting}`), START_TIMEOUT_MS);
      waiting.signal('SIGTERM');
      expect(await waiting.ended, setting).to.deep.equal({ code: 1, signal: null });
    }
    const refused = run(folder, { DATABASE_PASSWORD: 'wrong', TEMPORAL_ADDRESS: address });
    expect(await refused.ended).to.include({ code: 1 });
    expect(refused.output()).to.match(/^DATABASE_URL can't be used: [^\n]* DATABASE_PASSWORD\.\n/m);
    await untilNothingLeft(folder);
  });

  it('starts no servers if DATABASE_URL and TEMPORAL_ADDRESS are set; by npm run dev that is killed leaves nothing behind', async () => {
    const folder = newFolder();
    const { address, temporal } = await testTemporal();
    const name = `e2e_${randomUUID().replaceAll('-', '')}`;
    const DATABASE_URL = await createDatabase(testDatabase().url, name);
    await createNamespace(temporal, name);
    const external = { DATABASE_URL, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: name };
    const child = launch('dev', { DATA_DIR: folder, ...external });
    await eventually(child.output, (text) => text.includes('Ready.'), START_TIMEOUT_MS);
    const endpoints = JSON.parse(readFileSync(join(folder, 'endpoints.json'), 'utf8')) as Endpoints;
    expect(endpoints).to.include({
      database_url: DATABASE_URL,
      temporal_address: address,
      temporal_namespace: name,
      temporal_ui_url: null,
    });
    expect(readdirSync(join(folder, 'run'))).to.deep.equal(['service.pid']);
    expect(findServers(folder)).to.deep.equal([]);
    const service = { url: endpoints.api_url };
    const { token } = await register(service);
    const { id } = await addAssistant(service, token);
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    expect((await send(service, 'submitTextRequest', { token, body })).body).to.include({ status: 'completed' });
    await killNpm(child);
    expect(readdirSync(join(folder, 'run'))).to.deep.equal([]);
  });
});
