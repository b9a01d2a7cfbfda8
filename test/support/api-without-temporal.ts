import type { RunningApi } from '../../api/start.ts';
import type { Environment } from '../../runtime/settings/environment.ts';
import { connectTemporal } from '../../runtime/temporal/connect.ts';
import { startTestApi, testConfig } from './api.ts';
import { silentLog } from './log.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { testTemporal } from './temporal.ts';

/** Starts an API and then cuts its connection to Temporal. */
export async function startApiWithoutTemporal(env: Environment): Promise<RunningApi> {
  const way = await startTcpProxy({ port: Number((await testTemporal()).address.split(':')[1]) });
  const config = testConfig({ TEMPORAL_ADDRESS: `127.0.0.1:${way.port}` });
  const temporal = await connectTemporal(config.temporal, silentLog);
  const api = await startTestApi({ env, temporal });
  await way.refuse();
  return {
    ...api,
    async stop() {
      await way.pass();
      await api.stop();
      await temporal.connection.close();
      await way.stop();
    },
  };
}
