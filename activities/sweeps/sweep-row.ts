import type { Client } from '@temporalio/client';
import type { Log } from '../../runtime/telemetry/log.ts';
import { findWorkflowState } from '../../runtime/temporal/runs.ts';

/** What was asked for this long ago has a workflow: a start takes milliseconds. */
export const LOST_AFTER_S = 60;

interface SweptRow {
  id: string;
  /** The row's own id unless another one is given. */
  workflowId?: string;
  start: () => Promise<void>;
  stop: () => PromiseLike<unknown>;
}

/**
 * Starts a row on which a workflow should work whose start was lost, or that Temporal lost, and stops one whose workflow
 * was ended by force. Returns what was done; undefined where its workflow runs.
 */
export async function sweepRow(
  { client, log }: { client: Client; log: Log },
  { id, workflowId = id, start, stop }: SweptRow,
): Promise<'started' | 'stopped' | undefined> {
  const state = await findWorkflowState(client, workflowId);
  if (state === 'RUNNING') return undefined;
  const isLost = state === 'NOT_FOUND';
  await (isLost ? start() : stop());
  log.warn({ id, workflow_state: state }, 'swept a row that no workflow worked on');
  return isLost ? 'started' : 'stopped';
}
