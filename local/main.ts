/** `npm start`: the whole service on this machine. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createLog } from '../runtime/telemetry/log.ts';
import { refuseArguments, runMain, StartError, stopOnSignal } from '../runtime/process/process.ts';

// Makes later starts about half a second faster. Applies only to files that are imported after this call.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
const { startLocal } = await import('./start.ts');

// Under `node --watch`, the workflow thread would report its imports on the port that Temporal's SDK uses for responses, and end
// the process.
delete process.env['WATCH_REPORT_DEPENDENCIES'];

await runMain(async () => {
  refuseArguments();
  const stopping = new AbortController();
  const starting = startLocal(process.env, console.log, stopping.signal);
  // Handles signals from the beginning, so whatever has started is also stopped.
  stopOnSignal(
    [
      async () => {
        stopping.abort(new StartError('Stopped before the service was ready.'));
        await starting.then(
          (service) => service.stop(),
          () => undefined,
        );
      },
    ],
    createLog('warn'),
  );
  const service = await starting;
  const { api_url, temporal_ui_url, temporal_address, database_url } = service.endpoints;
  const { host, pathname } = new URL(database_url);
  console.log(
    [
      '',
      `Console      ${api_url}/console/`,
      `API          ${api_url}/api, described at ${api_url}/api/docs`,
      `Temporal UI  ${temporal_ui_url ?? 'unknown'}`,
      `Temporal     ${temporal_address}`,
      `PostgreSQL   ${host}${pathname}`,
      'Ready. Press Ctrl-C to stop everything. The data is kept.',
      '',
    ].join('\n'),
  );
});
