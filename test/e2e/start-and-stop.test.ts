import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { login } from '../../contract/account.ts';
import { listAssistants } from '../../contract/assistants.ts';
import { submitTextRequest } from '../../contract/requests.ts';
import { getSession, getSessionAudio } from '../../contract/sessions.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import { send } from '../support/api.ts';
import { createDatabase, testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { newFolder } from '../support/new-folder.ts';
import {
  addAssistant,
  register,
  runProgram,
  START_TIMEOUT_MS,
  startService,
  untilEnded,
} from '../support/started-service.ts';
import type { TestService } from '../support/started-service.ts';
import { createNamespace, testTemporal } from '../support/temporal.ts';
import { useStarted } from '../support/use-started.ts';
import { addVoiceAssistant, providerCalls, submitVoice } from '../support/voice.ts';

/** The limit in docs/operations.md. */
const GONE_TIMEOUT_MS = 15_000;

/** Returns the processes whose command names the data directory, as those of the service's servers do. */
function findServers(directory: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(directory) && !line.startsWith('ps '));
}

const untilNothingLeft = (directory: string) =>
  eventually(
    () => findServers(directory),
    (left) => left.length === 0,
    GONE_TIMEOUT_MS,
  );

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
  const standIns = useStarted(() => startStandIns());
  const launched: ChildProcess[] = [];
  /** Shared by the tests, each of which continues after the one before: a start takes five seconds of the processor. */
  let directory: string;
  let env: Record<string, string>;
  let first: TestService;
  let account: Awaited<ReturnType<typeof register>>;
  let assistantIds: string[];
  /** Sessions of a recording, which is completed, and of a text, whose call is slow. */
  let call: string;
  let open: string;
  before(() => {
    directory = newFolder();
    // The stand-ins outlive the service, so only the first call is slow.
    env = {
      ...(standInEnvironment(['openai', 'whisper'], standIns.url) as Record<string, string>),
      SHUTDOWN_GRACE_S: '0',
    };
  });
  after(() => {
    for (const child of launched.filter(isGroupThere)) process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
  });

  async function beginSessions(): Promise<void> {
    first = await startService(directory, env);
    account = await register(first);
    const { token } = account;
    const voice = await addVoiceAssistant(first, token, { stt_provider: 'whisper' });
    call = (await submitVoice(first, { token, assistantId: voice.id })).session_id;
    const text = await addAssistant(first, token);
    assistantIds = [voice.id, text.id];
    const conversation = [{ role: 'client', text: '[provider delay_ms=60000 times=1]' }];
    const headers = { Prefer: 'respond-async' };
    const body = { assistant_id: text.id, conversation };
    open = (await send(first, submitTextRequest, { token, headers, body })).body.session_id;
    await eventually(
      () => providerCalls(standIns.url),
      (calls) => calls.filter((each) => each.startsWith('openai ')).length === 2,
    );
  }

  it('that is interrupted or killed at any step leaves nothing behind, and the next one works', async () => {
    const steps = [
      ['PostgreSQL: starting', 'SIGINT'],
      ['Temporal: starting', 'SIGINT'],
      ['Worker: starting', 'SIGINT'],
      ['Worker: starting', 'SIGKILL'],
    ] as const;
    for (const [line, signal] of steps) {
      const interrupted = run(directory);
      await eventually(interrupted.output, (text) => text.includes(line), START_TIMEOUT_MS);
      interrupted.signal(signal);
      const ended = await interrupted.ended;
      if (signal === 'SIGINT') {
        expect(ended, line).to.deep.equal({ code: 1, signal: null });
        expect(interrupted.output()).to.contain('Stopped before it was ready.').and.not.to.contain('    at ');
      }
      await untilNothingLeft(directory);
    }
  });

  it('prints every address, refuses a second start on the same data, and leaves nothing behind after a second Ctrl-C', async () => {
    await beginSessions();
    const { endpoints, output } = first;
    expect(endpoints).to.have.all.keys(
      ...['api_url', 'database_url', 'temporal_address', 'temporal_namespace', 'temporal_ui_url'],
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

  it('on a copy of its data completes all accepted sessions, and ends on SIGTERM without remains', async () => {
    const copy = join(newFolder(), 'copy');
    execFileSync('cp', ['-a', directory, copy]);
    // Otherwise the first writes of PostgreSQL wait until the copy is on the disk.
    execFileSync('sync', ['-f', copy]);
    directory = copy;
    const service = await startService(directory, env);
    for (const id of [call, open]) {
      const { status } = await eventually(
        async () => (await send(service, getSession, { token: account.token, params: { id } })).body,
        ({ completed_at }) => completed_at !== null,
        START_TIMEOUT_MS,
      );
      expect(status, id).to.equal('completed');
    }
    const audio = { token: account.token, params: { id: call } };
    expect((await send(service, getSessionAudio, audio)).status).to.equal(200);
    const { email, password } = account;
    const { token } = (await send(service, login, { body: { email, password } })).body;
    const { data } = (await send(service, listAssistants, { token })).body;
    expect(data.map(({ id }) => id)).to.have.members(assistantIds);
    const pids = service.findPids();
    expect(pids).to.have.length.above(2);
    expect(await service.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    await untilEnded(pids);
    expect(readdirSync(join(directory, 'run')).filter((file) => file.endsWith('.pid'))).to.deep.equal([]);
    expect(existsSync(join(directory, 'endpoints.json'))).to.equal(false);
  });

  it('starts no servers if DATABASE_URL and TEMPORAL_ADDRESS are set, and ends on SIGINT', async () => {
    const folder = newFolder();
    const { address, temporal } = await testTemporal();
    const name = `e2e_${randomUUID().replaceAll('-', '')}`;
    const DATABASE_URL = await createDatabase(testDatabase().url, name);
    await createNamespace(temporal, name);
    const service = await startService(folder, { DATABASE_URL, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: name });
    expect(service.endpoints).to.include({
      ...{ database_url: DATABASE_URL, temporal_address: address, temporal_namespace: name, temporal_ui_url: null },
    });
    expect(service.findPids()).to.have.length(1);
    expect(readdirSync(join(folder, 'run'))).to.deep.equal(['service.pid']);
    const { token } = await register(service);
    const { id } = await addAssistant(service, token);
    const body = { assistant_id: id, conversation: [{ role: 'client', text: 'Hello.' }] };
    expect((await send(service, submitTextRequest, { token, body })).body).to.include({ status: 'completed' });
    expect(await service.stop('SIGINT')).to.deep.equal({ code: 0, signal: null });
  });

  // Only `npm run dev` runs a program that no other test waits for.
  const UNTIL = { start: () => findServers(directory).length > 0, dev: (output: string) => output.includes('Ready.') };
  for (const [script, isUp] of Object.entries(UNTIL)) {
    it(`by npm run ${script} that is killed leaves nothing behind`, async () => {
      const child = spawn('npm', ['run', script], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, PORT: '0', DATA_DIR: directory },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      launched.push(child);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await eventually(() => isUp(output), Boolean, START_TIMEOUT_MS);
      expect(findServers(directory)).not.to.deep.equal([]);
      child.kill('SIGTERM');
      await untilNothingLeft(directory);
      await eventually(() => !isGroupThere(child), Boolean, GONE_TIMEOUT_MS);
    });
  }

  it('on a port that is taken fails with one sentence before it starts a server', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const program = run(newFolder(), { PORT: String(port) });
    expect(await program.ended).to.include({ code: 1 });
    other.close();
    expect(program.output().trim().split('\n')).to.have.length(1);
    expect(program.output()).to.contain(`Port ${port} `).and.to.contain('Set PORT');
  });
});
