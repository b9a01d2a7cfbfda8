import { Context } from '@temporalio/activity';

/**
 * Interval of heartbeats. An activity receives its cancellation with a heartbeat, so after this time at the latest. Each
 * heartbeat costs Temporal four commits. The workflow's heartbeat timeout is three times as long.
 */
export const HEARTBEAT_MS = 5_000;

/** Runs a part of an activity and sends heartbeats meanwhile. */
export async function withHeartbeat<T>(run: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  return run().finally(() => clearInterval(timer));
}
