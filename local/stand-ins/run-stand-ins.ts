/** `npm run stand-ins`: runs only the stand-ins, for the development of clients. */
import { createLog } from '../../runtime/telemetry/log.ts';
import { refuseArguments, runMain, stopOnSignal } from '../../runtime/process/process.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { standInEnvironment } from './environment.ts';
import { CALLS_PATH, startStandIns } from './server.ts';

const DEFAULT_PORT = 4010;

await runMain(async () => {
  refuseArguments();
  const standIns = await startStandIns({ port: Number(process.env['PORT'] || DEFAULT_PORT) });
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
