import { CALL_TIMEOUT_MS, callInTime } from '../../runtime/temporal/connect.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Starts the workflow of a row that is stored by now: a start that fails is made up for by the sweep within two
 * minutes.
 */
export async function startBestEffort(
  { temporal, log }: Pick<ApiDeps, 'temporal' | 'log'>,
  id: string,
  start: () => Promise<void>,
): Promise<void> {
  try {
    await callInTime(temporal, CALL_TIMEOUT_MS, start);
  } catch (err) {
    log.warn({ id, err }, 'a workflow could not be started now');
  }
}
