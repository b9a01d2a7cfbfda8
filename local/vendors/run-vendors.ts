/** `npm run vendors`: the stand-ins alone, for a service or any other client that is to use them. */
import { createLog } from '../../runtime/telemetry/log.ts';
import { runMain, StartError, stopOnSignal } from '../../runtime/process.ts';
import { PROVIDERS } from '../../contract/constants.ts';
import { standInEnvironment } from './environment.ts';
import { CALLS_PATH, startVendors } from './server.ts';

const DEFAULT_PORT = 4010;

await runMain(async () => {
  const port = Number(process.env['PORT'] || DEFAULT_PORT);
  const vendors = await startVendors({ port }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new StartError(`The stand-ins can't listen on port ${port} (${reason}). Set PORT to another one.`);
  });
  stopOnSignal([() => vendors.stop()], createLog('warn'));
  const variables = Object.entries(standInEnvironment(PROVIDERS, vendors.url));
  console.log(
    [
      `Stand-in vendors at ${vendors.url}. Point a service at them with:`,
      '',
      ...variables.map(([name, value]) => `export ${name}=${value ?? ''}`),
      '',
      'Faults: put e.g. "[vendor status=503 times=2]" or "[vendor delay_ms=5000]" into a conversation or an audio file\'s name.',
      `What was asked so far: ${vendors.url}${CALLS_PATH}`,
      'Ctrl-C stops them.',
    ].join('\n'),
  );
});
