/** The one way a session's workflow is started: by the API, by the sweep, by a retry. */
import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE, WORKFLOWS } from '../../contract/workflows.ts';
import type { AssistantType } from '../../contract/constants.ts';
import type { AnalyzeSessionInput } from '../../contract/workflows.ts';

export interface StartableSession {
  id: string;
  user_id: string;
  assistant_id: string;
  type: AssistantType;
}

/**
 * Starts the workflow, or finds it running: calling twice is harmless. A session that failed may run again under its
 * id; one that completed can't. docs/decisions.md, "One write path".
 */
export async function startSession(client: Client, session: StartableSession): Promise<void> {
  const { id: session_id, type } = session;
  const input: AnalyzeSessionInput = { session_id, type };
  await client.workflow.start(WORKFLOWS.analyzeSession, {
    workflowId: session_id,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowRunTimeout: '3 days',
    priority: { fairnessKey: session.user_id },
    staticSummary: `Analysis of a ${type} conversation`,
    typedSearchAttributes: new TypedSearchAttributes(
      Object.entries({
        AssistantId: session.assistant_id,
        UserId: session.user_id,
        SessionType: type,
        // What its first step is; saying so later would cost the workflow a write.
        SessionStatus: type === 'voice' ? 'transcribing' : 'analyzing',
      }).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
    ),
  });
}
