/** What those who start a workflow and the workflow itself agree on: names, inputs, search attributes. Free of imports. */

/** One queue for workflows and activities: an activity elsewhere would lose eager dispatch. */
export const TASK_QUEUE = 'conversation-analysis';

/** Name under which Temporal knows the releases of the workers; a release is this and a build id. */
export const DEPLOYMENT = 'conversation-analysis';

/** Workflow types, as the Temporal UI shows them. */
export const WORKFLOWS = {
  analyzeSession: 'analyzeSession',
  deliverWebhook: 'deliverWebhook',
  redeliverMany: 'redeliverMany',
  runBatch: 'runBatch',
  removeDeletedAccounts: 'removeDeletedAccounts',
  removeExpiredAudio: 'removeExpiredAudio',
  removeExpiredKeys: 'removeExpiredKeys',
  removeExpiredSessions: 'removeExpiredSessions',
  sweepLostDeliveries: 'sweepLostDeliveries',
  sweepLostSessions: 'sweepLostSessions',
} as const;

/** The workflow id is the session's id. */
export interface AnalyzeSessionInput {
  session_id: string;
  /** Voice sessions begin with a transcription. */
  type: 'voice' | 'text';
  /** Asks for a slot that were refused in the runs that this one continues. */
  refused_asks?: number;
  /** The analysis is done, and this one continues a run that waited for its turn to deliver. */
  delivery?: DeliverWebhookInput;
}

/** The workflow id is the delivery's id. */
export interface DeliverWebhookInput {
  delivery_id: string;
  /** More than 0 where a run continues another one, or a workflow that was lost is started anew. */
  attempts_made?: number;
  /** What the run already shows as `WebhookHost`. */
  webhook_host?: string;
}

/** The workflow id is the redelivery's id. */
export interface RedeliverManyInput {
  redelivery_id: string;
}

/** The workflow id is the batch's id. */
export interface RunBatchInput {
  batch_id: string;
}

/** Signals to workflows. */
export const SIGNALS = {
  /** To a session that waits because its owner has enough in flight: there may be a slot for it. */
  slotFree: 'slotFree',
  /** Ends the wait before the next attempt. */
  retryNow: 'retryNow',
  /** Gives the delivery up. */
  stopDelivery: 'stopDelivery',
} as const;

/** Without it, as an operator may send the signal, the next attempt is meant. */
export interface RetryNowSignal {
  /** The attempt that is wanted; a signal that comes too late does not hasten the one after it. */
  attempt: number;
}

/** Custom search attributes, all of Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = [
  'AssistantId',
  'UserId',
  'SessionType',
  'SessionStatus',
  'DeliveryStatus',
  'WebhookHost',
] as const;
