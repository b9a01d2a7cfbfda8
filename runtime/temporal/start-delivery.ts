/** The one way a delivery's own workflow is started: for redeliveries, tests and `session.failed`, and by the sweep. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import type { DeliverWebhookInput } from '../../contract/workflows.ts';

export interface StartableDelivery {
  id: string;
  user_id: string;
  assistant_id: string;
  event: string;
}

export interface StartDeliveryOptions {
  /** Attempts that are on record, where a workflow that was lost is started anew. */
  attemptsMade?: number;
  /** URL of the receiver, if it is known. */
  webhookUrl?: string | null | undefined;
}

/** Starts the workflow of a delivery whose row is stored, or finds it running or ended: calling twice is harmless. */
export async function startDelivery(
  client: Client,
  { id, user_id, assistant_id, event }: StartableDelivery,
  { attemptsMade = 0, webhookUrl }: StartDeliveryOptions = {},
): Promise<void> {
  const webhook_host = webhookUrl == null ? undefined : new URL(webhookUrl).host;
  const input: DeliverWebhookInput = {
    delivery_id: id,
    ...(attemptsMade > 0 && { attempts_made: attemptsMade }),
    ...(webhook_host !== undefined && { webhook_host }),
  };
  const attributes = {
    AssistantId: assistant_id,
    UserId: user_id,
    DeliveryStatus: 'pending',
    ...(webhook_host !== undefined && { WebhookHost: webhook_host }),
  };
  try {
    await client.workflow.start(WORKFLOWS.deliverWebhook, {
      workflowId: id,
      taskQueue: TASK_QUEUE,
      args: [input],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      workflowRunTimeout: '3 days',
      priority: { fairnessKey: user_id },
      staticSummary: `Delivery of ${event}`,
      typedSearchAttributes: new TypedSearchAttributes(
        Object.entries(attributes).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
      ),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
