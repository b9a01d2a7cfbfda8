/** Started by run.test.ts: a test run with a program, a service's server and a browser. Prints their process IDs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { supervise } from '../../local/supervise.ts';
import { readLivePid } from '../../local/process-identity.ts';
import { findBrowserPids, openPage } from './browser.ts';
import { silentLog } from './log.ts';
import { runnerName, serverAddress, startRun } from './run.ts';
import { newFolder } from './new-folder.ts';
import { runProgram } from './started-service.ts';
import { testTemporal } from './temporal.ts';

const { directory } = startRun();
await Promise.all([serverAddress('postgres'), testTemporal(), openPage('http://127.0.0.1')]);
const program = runProgram('bench/stand-ins.ts', {});
const run = join(newFolder(), 'run');
mkdirSync(run);
const pidFile = join(run, 'server.pid');
const server = {
  name: 'a server',
  command: process.execPath,
  args: ['-e', 'setInterval(() => undefined, 1_000)'],
  pidFile,
  logFile: join(run, 'server.log'),
  stopSignal: 'SIGTERM' as const,
  isReady: async () => true,
};
await supervise(server, silentLog);
const pids = [
  ...program.findPids(),
  ...(await findBrowserPids()),
  readLivePid(pidFile),
  readLivePid(join(directory, 'postgres', 'run', 'postgres.pid')),
  readLivePid(join(directory, `temporal_${runnerName()}`, 'run', 'temporal.pid')),
];
console.log(JSON.stringify({ directory, pids }));
setInterval(() => undefined, 60_000);
