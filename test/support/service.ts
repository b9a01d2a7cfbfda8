/** The whole service in this process: API, worker, and the vendor stand-ins behind a proxy that can hold them back. */
import type { RunningApi } from '../../api/start.ts';
import { PROVIDERS } from '../../contract/constants.ts';
import { standInEnvironment } from '../../local/vendors/environment.ts';
import { startVendors } from '../../local/vendors/server.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { Log } from '../../runtime/telemetry/log.ts';
import { startWorker } from '../../worker/start.ts';
import { startTestApi, testConfig } from './api.ts';
import { silentLog } from './log.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import { terminateWorkflows, testTemporal } from './temporal.ts';

export interface TestService {
  api: RunningApi;
  /** The way to the vendors: while it hangs, every analysis is under way. */
  vendors: TcpProxy;
  /** What API and worker run with. */
  env: Environment;
  /** Ends the workflows too, unless they are left to the next worker. */
  stop(options?: { leavesRuns?: boolean }): Promise<void>;
}

/** Call it in a `before` without a time-out: the first one may have to get the Temporal server. */
export async function startTestService({
  env: extra = {},
  log = silentLog,
}: { env?: Environment; log?: Log } = {}): Promise<TestService> {
  const { temporal } = await testTemporal();
  const standIns = await startVendors();
  const vendors = await startTcpProxy({ port: Number(new URL(standIns.url).port) });
  const env = {
    ...standInEnvironment(PROVIDERS, `http://127.0.0.1:${vendors.port}`),
    PROVIDER_RETRY_WINDOW_S: '2',
    SHUTDOWN_GRACE_S: '1',
    ...extra,
  };
  const worker = await startWorker({ config: testConfig(env), temporal, log });
  const api = await startTestApi({ env, temporal, log });
  return {
    api,
    vendors,
    env,
    async stop({ leavesRuns = false } = {}) {
      await vendors.pass();
      await api.stop();
      await worker.stop();
      if (!leavesRuns) await terminateWorkflows();
      await vendors.stop();
      await standIns.stop();
    },
  };
}
