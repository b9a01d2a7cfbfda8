/** Runs the whole service in this process: API, worker, and stand-ins behind a proxy that can delay them. */
import type { RunningApi } from '../../api/start.ts';
import { PROVIDERS } from '../../contract/values/providers.ts';
import { standInEnvironment } from '../../local/stand-ins/environment.ts';
import { startStandIns } from '../../local/stand-ins/server.ts';
import type { Environment } from '../../runtime/settings/environment.ts';
import { startWorker } from '../../worker/start.ts';
import { startTestApi, testConfig, type TestApiOptions } from './api.ts';
import { silentLog } from './log.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { terminateWorkflows, testTemporal } from './temporal.ts';

export interface TestService {
  api: RunningApi;
  /** The proxy to the providers. While it hangs, every analysis keeps running. */
  providers: TcpProxy;
  /** Settings of the API and the worker. */
  env: Environment;
  /** Also terminates the workflows, unless `leavesRuns` leaves them to the next worker. */
  stop(options?: { leavesRuns?: boolean }): Promise<void>;
}

/** Call this in a `before` without a timeout, because the first call may have to download or build the Temporal server. */
export async function startTestService({
  env: extra = {},
  adjust,
  log = silentLog,
}: Pick<TestApiOptions, 'env' | 'adjust' | 'log'> = {}): Promise<TestService> {
  const { temporal } = await testTemporal();
  const standIns = await startStandIns();
  const providers = await startTcpProxy({ port: Number(new URL(standIns.url).port) });
  const env = {
    ...standInEnvironment(PROVIDERS, `http://127.0.0.1:${providers.port}`),
    PROVIDER_RETRY_WINDOW_S: '2',
    SHUTDOWN_GRACE_S: '1',
    ...extra,
  };
  const worker = await startWorker({ config: testConfig(env), temporal, log });
  const api = await startTestApi({ env, ...(adjust && { adjust }), temporal, log });
  return {
    api,
    providers,
    env,
    async stop({ leavesRuns = false } = {}) {
      await providers.pass();
      await api.stop();
      await worker.stop();
      if (!leavesRuns) await terminateWorkflows();
      await providers.stop();
      await standIns.stop();
    },
  };
}
