/** Reads, signals and cancels workflows that may not exist. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { reuseFor } from '../reuse-for.ts';
import { callInTime, isNotFound, type TemporalCaller } from './connect.ts';

export interface LatestRun {
  /** Temporal's name of the state, such as `RUNNING`; `NOT_FOUND` if there is no run. */
  state: string;
  closedAt?: Date | undefined;
}

export async function findLatestRun(client: Client, workflowId: string): Promise<LatestRun> {
  try {
    const { status, closeTime } = await client.workflow.getHandle(workflowId).describe();
    return { state: status.name, closedAt: closeTime };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { state: 'NOT_FOUND' };
    throw error;
  }
}

/** Returns false if the workflow does not run. */
export async function signalWorkflow(
  client: Client,
  workflowId: string,
  signal: string,
  ...args: unknown[]
): Promise<boolean> {
  return isFound(() => client.workflow.getHandle(workflowId).signal(signal, ...args));
}

/** Returns false if the workflow does not run. */
export async function cancelWorkflow(client: Client, workflowId: string): Promise<boolean> {
  return isFound(() => client.workflow.getHandle(workflowId).cancel());
}

/** Starts the next try of an activity that waits for it. A running try continues. Returns false if the activity has ended. */
export async function hastenActivity(
  { workflowService, options }: Client,
  workflowId: string,
  type: string,
): Promise<boolean> {
  const { namespace } = options;
  return isFound(() => workflowService.resetActivity({ namespace, execution: { workflowId }, type }));
}

async function isFound(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isNotFound(error)) return false;
    throw error;
  }
}

/** Temporal sets this after repeated failures or timeouts of a workflow task. Servers before 1.31 do not. */
const STUCK = 'TemporalReportedProblems IS NOT NULL AND ExecutionStatus = "Running"';
const COUNT_TIMEOUT_MS = 2_000;
const COUNT_REUSE_MS = 30_000;

/** Returns a function that counts stuck workflows, at most twice a minute; undefined if unknown. */
export function createStuckCount({ connection, client }: TemporalCaller): () => Promise<number | undefined> {
  return reuseFor(COUNT_REUSE_MS, () =>
    callInTime(connection, COUNT_TIMEOUT_MS, () => client.workflow.count(STUCK)).then(
      (found) => found.count,
      () => undefined,
    ),
  );
}
