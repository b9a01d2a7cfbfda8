/** Set-up of test files. The returned objects are filled before the first test: destructure them only in tests and hooks. */
import type { RunningApi } from '../../api/start.ts';
import { startTestApi, type TestApiOptions } from './api.ts';
import { useConnections } from './database.ts';
import { startTestService, type TestService } from './service.ts';
import { useStarted } from './use-started.ts';

/** Starts an API for the tests of a block, without a worker. */
export function useTestApi(options?: TestApiOptions): RunningApi {
  return useStarted(() => startTestApi(options));
}

/** Starts a whole service for the tests of a block. shared-service.ts has a service that many files share. */
export function useTestService(options?: Parameters<typeof startTestService>[0]): TestService {
  useConnections();
  return useStarted(() => startTestService(options));
}
