/** What those who start a workflow and the workflow itself agree on: names, inputs, search attributes. Free of imports. */

/** One queue for workflows and activities: an activity elsewhere would lose eager dispatch. */
export const TASK_QUEUE = 'conversation-analysis';

/** Workflow types, as the Temporal UI shows them. */
export const WORKFLOWS = {
  analyseSession: 'analyseSession',
  removeExpiredAudio: 'removeExpiredAudio',
  sweepLostSessions: 'sweepLostSessions',
} as const;

/** The workflow id is the session's id. */
export interface AnalyseSessionInput {
  session_id: string;
  /** Voice sessions begin with a transcription. */
  type: 'voice' | 'text';
}

/** Custom search attributes, all of Temporal's type Keyword. */
export const SEARCH_ATTRIBUTES = ['AssistantId', 'UserId', 'SessionType', 'SessionStatus', 'DeliveryStatus'] as const;
