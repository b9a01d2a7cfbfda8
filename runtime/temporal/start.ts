/** Starts the workflows of stored rows. Starting twice is harmless. */
import {
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowClientInterceptor,
  type WorkflowStartOptions,
} from '@temporalio/client';
import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import type { AssistantType, SessionStatus } from '../../contract/values/constants.ts';
import {
  AWAITED_PRIORITY,
  BATCH_PRIORITY,
  REQUEST_PRIORITY,
  TASK_QUEUE,
  WORKFLOWS,
  type AnalyzeSessionInput,
  type DeliverWebhookInput,
  type RunBatchInput,
} from '../../contract/workflows.ts';

export interface StartableSession {
  id: string;
  workspace_id: string;
  /** Whose limits it counts for. */
  payer: string;
  assistant_id: string;
  type: AssistantType;
  /** Default: `queued`. */
  status?: SessionStatus;
  batch_id?: string | null;
}

/**
 * Starts the workflow of a session. A failed session can run again under its ID; a completed one can't.
 * docs/decisions.md, "One write path".
 * @param isAwaited whether a caller waits for the result.
 */
export async function startSession(client: Client, session: StartableSession, isAwaited = false): Promise<void> {
  const { id: session_id, type, workspace_id, payer, assistant_id, batch_id, status } = session;
  const fetches = status === 'fetching';
  const input: AnalyzeSessionInput = { session_id, type, ...(fetches && { fetches }) };
  await start(client, WORKFLOWS.analyzeSession, input, {
    workflowId: session_id,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowRunTimeout: '3 days',
    priority: {
      fairnessKey: payer,
      priorityKey: batch_id ? BATCH_PRIORITY : isAwaited ? AWAITED_PRIORITY : REQUEST_PRIORITY,
    },
    staticSummary: `Analysis of a ${type} conversation`,
    typedSearchAttributes: attributes({
      AssistantId: assistant_id,
      WorkspaceId: workspace_id,
      SessionType: type,
      // The status of the first step: setting it later would cost the workflow a write.
      SessionStatus: fetches ? 'fetching' : type === 'voice' ? 'transcribing' : 'analyzing',
    }),
  });
}

export interface StartableDelivery {
  id: string;
  workspace_id: string;
  payer: string;
  assistant_id: string;
  event: string;
}

/**
 * Starts the workflow of a delivery: a redelivery, a test, `session.failed`, a review, an alert, or one that the sweep found.
 * @param attemptsMade attempts of an earlier workflow that was lost. @param delayMs until the first attempt; Temporal keeps the timer.
 */
export function startDelivery(
  client: Client,
  { id, workspace_id, payer, assistant_id, event }: StartableDelivery,
  { attemptsMade = 0, delayMs = 0 }: { attemptsMade?: number; delayMs?: number } = {},
): Promise<void> {
  const input: DeliverWebhookInput = { delivery_id: id, ...(attemptsMade > 0 && { attempts_made: attemptsMade }) };
  return startOnce(client, WORKFLOWS.deliverWebhook, input, {
    workflowId: id,
    workflowRunTimeout: '3 days',
    ...(delayMs > 0 && { startDelay: delayMs }),
    priority: { fairnessKey: payer, priorityKey: REQUEST_PRIORITY },
    staticSummary: `Delivery of ${event}`,
    typedSearchAttributes: attributes({
      AssistantId: assistant_id,
      WorkspaceId: workspace_id,
      DeliveryStatus: 'pending',
    }),
  });
}

/** Starts the workflow of a batch. */
export function startBatch(client: Client, batch_id: string): Promise<void> {
  const input: RunBatchInput = { batch_id };
  return startOnce(client, WORKFLOWS.runBatch, input, { workflowId: batch_id, staticSummary: 'Batch' });
}

type Options = Omit<WorkflowStartOptions, 'taskQueue' | 'args'>;

/** Starts a workflow that runs only once under its ID. */
async function startOnce(client: Client, type: string, input: object, options: Options): Promise<void> {
  try {
    await start(client, type, input, { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

const start = (client: Client, type: string, input: object, options: Options) =>
  client.workflow.start(type, {
    ...options,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });

const attributes = (values: Record<string, string>) =>
  new TypedSearchAttributes(
    Object.entries(values).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
  );

/**
 * Requests that Temporal returns a new run's first task immediately to the worker on the same connection. Not for workers
 * with a build ID: an eager start bypasses the routing to the current version.
 */
export const startEagerly: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: { ...input.options, requestEagerStart: true } }),
};
