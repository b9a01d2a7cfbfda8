import { existsSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { identifyProcess, readLivePid } from '../../local/process-identity.ts';
import { endOrphan, supervise, type ServerProcess, type Supervised } from '../../local/supervise.ts';
import { eventually } from '../support/eventually.ts';
import { recordedLog, silentLog } from '../support/log.ts';
import { newFolder } from '../support/new-folder.ts';

const LISTEN = 'require("node:net").createServer().listen(Number(process.argv[1]), "127.0.0.1")';

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('a supervised server', () => {
  const directory = newFolder();
  const running: Supervised[] = [];
  let names = 0;
  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop();
  });

  async function describeServer(): Promise<ServerProcess> {
    const port = await freePort();
    const name = `server-${++names}`;
    return {
      name,
      command: process.execPath,
      args: ['-e', LISTEN, String(port)],
      pidFile: join(directory, `${name}.pid`),
      logFile: join(directory, `${name}.log`),
      stopSignal: 'SIGTERM',
      isReady: () => accepts(port),
    };
  }

  async function start({ log = silentLog } = {}) {
    const server = await describeServer();
    const supervised = await supervise(server, log);
    running.push(supervised);
    return { ...server, supervised, pid: readLivePid(server.pidFile)! };
  }

  it('is restarted after it was killed', async () => {
    const { isReady, pidFile, pid } = await start();
    process.kill(pid, 'SIGKILL');
    const isBack = async () => ![undefined, pid].includes(readLivePid(pidFile)) && (await isReady());
    await eventually(isBack, true);
  });

  it('ends after a stop, and is not restarted', async () => {
    const { log, text } = recordedLog();
    const { supervised, pidFile, pid } = await start({ log });
    await supervised.stop();
    // Its port says nothing: another process may have it by now.
    expect(identifyProcess(pid)).to.equal(undefined);
    expect(existsSync(pidFile)).to.equal(false);
    await eventually(supervised.pid, (found) => found === undefined);
    expect(text()).not.to.contain('restarting');
  });

  it('of an earlier start is stopped by its pid file', async () => {
    const { pid, pidFile, stopSignal } = await start();
    await endOrphan({ pidFile, stopSignal });
    expect(identifyProcess(pid)).to.equal(undefined);
  });
});
