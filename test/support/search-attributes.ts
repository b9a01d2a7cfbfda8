import type { WorkflowExecutionDescription } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

/** Returns the value of a workflow's search attribute. */
export const shownBy = (workflow: WorkflowExecutionDescription, name: string): string | undefined =>
  workflow.typedSearchAttributes.get(defineSearchAttributeKey(name, 'KEYWORD'));
