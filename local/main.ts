/** `npm start`: the whole service on this machine. */
import { createLog } from '../runtime/telemetry/log.ts';
import { runMain, stopOnSignal } from '../runtime/process.ts';
import { startLocal } from './start.ts';

await runMain(async () => {
  const service = await startLocal(process.env, console.log);
  stopOnSignal(() => service.stop(), createLog('warn'));
  const { api_url, temporal_ui_url, temporal_address, database_url } = service.endpoints;
  console.log(
    [
      '',
      `API          ${api_url}/api, described at ${api_url}/api/docs`,
      `Temporal UI  ${temporal_ui_url ?? 'not ours'}`,
      `Temporal     ${temporal_address}`,
      `PostgreSQL   ${new URL(database_url).host}${new URL(database_url).pathname}`,
      'Ready. Ctrl-C stops everything; the data stays.',
      '',
    ].join('\n'),
  );
});
