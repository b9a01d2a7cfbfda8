/** Removes the text of unexpected errors from Temporal's history: it may quote a conversation. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Log } from '../runtime/telemetry/log.ts';

export function sanitizeErrors(log: Log): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
          const { activityType, attempt, workflowExecution } = info;
          log.error(
            { activity: activityType, attempt, workflow_id: workflowExecution?.workflowId, err: error },
            'activity failed',
          );
          const name = error instanceof Error ? error.name : 'unknown';
          throw ApplicationFailure.retryable(
            `${activityType} failed with ${name}; the worker's log has the details`,
            name,
          );
        }
      },
    },
  });
}
