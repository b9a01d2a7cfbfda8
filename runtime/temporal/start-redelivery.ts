/** The one way a redelivery of many is started: by the API and by the sweep. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import type { RedeliverManyInput } from '../../contract/workflows.ts';

/** Starts the workflow of a redelivery whose row is stored. Calling twice is harmless. */
export async function startRedelivery(client: Client, redelivery_id: string): Promise<void> {
  const input: RedeliverManyInput = { redelivery_id };
  try {
    await client.workflow.start(WORKFLOWS.redeliverMany, {
      workflowId: redelivery_id,
      taskQueue: TASK_QUEUE,
      args: [input],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      staticSummary: 'Redelivery of many',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
