/** What many files begin with. What these return is filled in before the first test: take it apart within tests and hooks only. */
import type { RunningApi } from '../../api/start.ts';
import { startTestApi } from './api.ts';
import type { TestApiOptions } from './api.ts';
import { startTestService } from './service.ts';
import type { TestService } from './service.ts';
import { useStarted } from './use-started.ts';

/** Has the tests of a block run against an API of their own, without a worker. */
export function useTestApi(options?: TestApiOptions): RunningApi {
  return useStarted(() => startTestApi(options));
}

/** Has the tests of a block run against a whole service of their own: shared-service.ts has one that starts once for many. */
export function useTestService(options?: Parameters<typeof startTestService>[0]): TestService {
  return useStarted(() => startTestService(options));
}
