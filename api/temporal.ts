/** Calls to Temporal within the time that a request can wait. */
import { CALL_TIMEOUT_MS, callInTime } from '../runtime/temporal/connect.ts';
import type { ApiDeps } from './deps.ts';

export const callTemporal = <T>(temporal: ApiDeps['temporal'], call: () => Promise<T>): Promise<T> =>
  callInTime(temporal, CALL_TIMEOUT_MS, call);

/**
 * Starts, signals or cancels the workflow of a stored row. A failure is only logged: a sweep repeats a start within two
 * minutes, and a running workflow reads the row at its next step.
 */
export async function tryTemporal(
  { temporal, log }: Pick<ApiDeps, 'temporal' | 'log'>,
  id: string,
  call: () => Promise<unknown>,
): Promise<void> {
  try {
    await callTemporal(temporal, call);
  } catch (err) {
    log.warn({ id, err }, 'call to Temporal failed; the workflow follows its row later');
  }
}
