/** Names, inputs and search attributes of workflows, shared by workflows and the code that starts them. Imports nothing. */

/** Task queue of workflows and of all activities except transcriptions. Sharing one queue enables eager dispatch. */
export const TASK_QUEUE = 'conversation-analysis';

/** Returns the task queue of transcriptions. It has its own slots, so that long recordings never delay an analysis. */
export const transcriptionQueueOf = (queue: string) => `${queue}-transcription`;

/**
 * Priorities of sessions in Temporal's task queues; 1 is the highest. A task waits while any task of a higher priority waits.
 * Within a priority, owners of workspaces are served alternately.
 */
export const AWAITED_PRIORITY = 1;
export const REQUEST_PRIORITY = 2;
export const BATCH_PRIORITY = 4;

/** Name of the worker deployment in Temporal. A release is a build ID of it. */
export const DEPLOYMENT = 'conversation-analysis';

/** Workflow types, as the Temporal UI shows them. */
export const WORKFLOWS = {
  analyzeSession: 'analyzeSession',
  deliverWebhook: 'deliverWebhook',
  runBatch: 'runBatch',
  removeDeletedWorkspaces: 'removeDeletedWorkspaces',
  removeExpiredAudio: 'removeExpiredAudio',
  removeExpiredKeys: 'removeExpiredKeys',
  removeExpiredSessions: 'removeExpiredSessions',
  renewSearchWords: 'renewSearchWords',
  sweepLostDeliveries: 'sweepLostDeliveries',
  sweepLostSessions: 'sweepLostSessions',
} as const;

/** The workflow ID is the session's ID. */
export interface AnalyzeSessionInput {
  session_id: string;
  /** Voice sessions start with a transcription. */
  type: 'voice' | 'text';
  /** The recording is first fetched from its URL. */
  fetches?: true;
}

/** The caller of a step. Part of the input, because an eagerly started activity can't read its priority. */
export interface Caller {
  /** The owner of the workspace, or the workspace without an owner. All workspaces of a payer share its limits. */
  payer: string;
  /** Whether a client waits for the result. */
  is_awaited: boolean;
}

/** Input of the steps that call a provider. */
export interface StepInput extends AnalyzeSessionInput {
  caller: Caller;
}

/** The workflow ID is the delivery's ID. */
export interface DeliverWebhookInput {
  delivery_id: string;
  /** Above 0 if this workflow replaces a lost one. */
  attempts_made?: number;
}

/** The workflow ID is the batch's ID. */
export interface RunBatchInput {
  batch_id: string;
}

export const SIGNALS = {
  /** Ends the wait before the next attempt. */
  retryNow: 'retryNow',
  stopDelivery: 'stopDelivery',
} as const;

/** Optional: an operator may send the signal without it, which means the next attempt. */
export interface RetryNowSignal {
  /** The attempt to start now. A late signal does not start a later attempt early. */
  attempt: number;
}

/** Custom search attributes, all of Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = [
  'AssistantId',
  'WorkspaceId',
  'SessionType',
  'SessionStatus',
  'DeliveryStatus',
  'WebhookHost',
] as const;
