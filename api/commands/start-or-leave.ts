import type { ApiDeps } from '../deps.ts';

/** Under the time in which a caller loses patience. */
const START_TIMEOUT_MS = 3_000;

/** The row is stored by now: a start that fails is made up for by the sweep within two minutes. */
export async function startOrLeave(
  { temporal, log }: Pick<ApiDeps, 'temporal' | 'log'>,
  id: string,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + START_TIMEOUT_MS, start);
  } catch (err) {
    log.warn({ id, err }, 'a workflow could not be started now');
  }
}
