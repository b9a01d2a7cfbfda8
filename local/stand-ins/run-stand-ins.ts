/** `npm run stand-ins`: runs only the stand-ins, for the development of clients. */
import { createLog } from '../../runtime/telemetry/log.ts';
import { runMain, StartError, stopOnSignal } from '../../runtime/process/process.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { standInEnvironment } from './environment.ts';
import { CALLS_PATH, startStandIns } from './server.ts';

const DEFAULT_PORT = 4010;

const USAGE = `Usage: [PORT=${DEFAULT_PORT}] npm run stand-ins

Runs stand-ins of the providers, which need no keys, and prints the settings that use them.`;

await runMain(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === '--help') return console.log(USAGE);
  if (argument !== undefined) throw new StartError(`Unknown argument ${argument}.\n${USAGE}`);
  const port = Number(process.env['PORT'] || DEFAULT_PORT);
  const standIns = await startStandIns({ port }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new StartError(`The stand-ins can't listen on port ${port} (${reason}). Set PORT to another one.`);
  });
  stopOnSignal([() => standIns.stop()], createLog('warn'));
  const variables = Object.entries(standInEnvironment(PROVIDERS, standIns.url));
  console.log(
    [
      `Stand-in providers run at ${standIns.url}. To use them, set:`,
      '',
      ...variables.map(([name, value]) => `export ${name}=${value}`),
      '',
      'To simulate faults, put "[provider status=503 times=2]" or "[provider delay_ms=5000]" into a conversation or file name.',
      `Received calls: ${standIns.url}${CALLS_PATH}`,
      'Press Ctrl-C to stop.',
    ].join('\n'),
  );
});
