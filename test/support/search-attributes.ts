import type { WorkflowExecutionDescription } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';

/** What a workflow shows under this name, as operators filter by it. */
export const shownBy = (workflow: WorkflowExecutionDescription, name: string): string | undefined =>
  workflow.typedSearchAttributes.get(defineSearchAttributeKey(name, 'KEYWORD'));
