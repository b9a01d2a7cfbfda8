import { Context } from '@temporalio/activity';

/**
 * Interval of heartbeats. An activity receives its cancellation with a heartbeat, so after this time at the latest. Each
 * heartbeat costs Temporal four commits. The workflow's heartbeat timeout is three times as long.
 */
export const HEARTBEAT_MS = 5_000;

/** Sends heartbeats of the activity until the returned function is called. */
export function startHeartbeat(): () => void {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  return () => clearInterval(timer);
}

/** Runs a part of an activity and sends heartbeats meanwhile. */
export const withHeartbeat = async <T>(run: () => Promise<T>): Promise<T> => run().finally(startHeartbeat());
