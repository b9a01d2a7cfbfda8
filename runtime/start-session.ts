/** The one way a session's workflow is started: by the API, by the sweep, by a retry. */
import {
  defineSearchAttributeKey,
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { TASK_QUEUE, WORKFLOWS } from '../contract/workflows.ts';
import type { AnalyseSessionInput } from '../contract/workflows.ts';

export interface StartableSession {
  id: string;
  user_id: string;
  assistant_id: string;
  type: string;
}

/**
 * Starts the workflow, or finds it running: calling twice is harmless. A session that failed may run again under its
 * id; one that completed can't. docs/decisions.md, "One write path".
 */
export async function startSession(client: Client, session: StartableSession): Promise<void> {
  const input: AnalyseSessionInput = { session_id: session.id };
  await client.workflow.start(WORKFLOWS.analyseSession, {
    workflowId: session.id,
    taskQueue: TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowRunTimeout: '3 days',
    requestEagerStart: true,
    staticSummary: `Analysis of a ${session.type} conversation`,
    typedSearchAttributes: new TypedSearchAttributes(
      Object.entries({
        AssistantId: session.assistant_id,
        UserId: session.user_id,
        SessionType: session.type,
        SessionStatus: 'queued',
      }).map(([name, value]) => ({ key: defineSearchAttributeKey(name, 'KEYWORD'), value })),
    ),
  });
}
