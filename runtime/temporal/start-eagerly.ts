import type { WorkflowClientInterceptor } from '@temporalio/client';

/**
 * Asks Temporal to hand a new run's first task to the worker on the same connection at once. Not for a worker with a
 * build id: an eager start passes by the routing to the current version.
 */
export const startEagerly: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, options: { ...input.options, requestEagerStart: true } }),
};
