/** Questions and orders to workflows that may be gone. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';

export interface LatestRun {
  /** Temporal's name of its state, `RUNNING` among them; `NOT_FOUND`: there is no run. */
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

export async function findWorkflowState(client: Client, workflowId: string): Promise<string> {
  return (await findLatestRun(client, workflowId)).state;
}

/** Returns false if no such workflow runs. */
export async function signalWorkflow(
  client: Client,
  workflowId: string,
  signal: string,
  ...args: unknown[]
): Promise<boolean> {
  return isThere(() => client.workflow.getHandle(workflowId).signal(signal, ...args));
}

/** Returns false if no such workflow runs. */
export async function cancelWorkflow(client: Client, workflowId: string): Promise<boolean> {
  return isThere(() => client.workflow.getHandle(workflowId).cancel());
}

async function isThere(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
