/** The one way a run over many rows is started: by the API and by the sweep. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import type { RedeliverManyInput, RunBatchInput } from '../../contract/workflows.ts';

/** Starts the workflow of a redelivery of many whose row is stored. Calling twice is harmless. */
export function startRedelivery(client: Client, redelivery_id: string): Promise<void> {
  const input: RedeliverManyInput = { redelivery_id };
  return start(client, WORKFLOWS.redeliverMany, { workflowId: redelivery_id, input, summary: 'Redelivery of many' });
}

/** Starts the workflow of a batch whose row is stored. Calling twice is harmless. */
export function startBatch(client: Client, batch_id: string): Promise<void> {
  const input: RunBatchInput = { batch_id };
  return start(client, WORKFLOWS.runBatch, { workflowId: batch_id, input, summary: 'Batch over many sessions' });
}

async function start(
  client: Client,
  type: string,
  { workflowId, input, summary }: { workflowId: string; input: object; summary: string },
): Promise<void> {
  try {
    await client.workflow.start(type, {
      workflowId,
      taskQueue: TASK_QUEUE,
      args: [input],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: summary,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
