/** `npm start`: the whole service on this machine. */
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, StartError, stopOnSignal } from '../runtime/process.ts';
import { startLocal } from './start.ts';

// Under `node --watch` the thread of the workflows would tell of its imports on the very port on which Temporal's SDK
// hears its answers, and end the process.
delete process.env['WATCH_REPORT_DEPENDENCIES'];

await runMain(async () => {
  const stopping = new AbortController();
  const starting = startLocal(process.env, console.log, stopping.signal);
  // From the first moment on, so that whatever has started by then is stopped as well.
  stopOnSignal(
    [
      async () => {
        stopping.abort(new StartError('Stopped before it was ready.'));
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
  console.log(
    [
      '',
      `Console      ${api_url}/console/`,
      `API          ${api_url}/api, described at ${api_url}/api/docs`,
      `Temporal UI  ${temporal_ui_url ?? 'not ours'}`,
      `Temporal     ${temporal_address}`,
      `PostgreSQL   ${new URL(database_url).host}${new URL(database_url).pathname}`,
      'Ready. Ctrl-C stops everything; the data stays.',
      '',
    ].join('\n'),
  );
});
