/** Tells Temporal that an activity lives, which is also how it hears that it is canceled. */
import { Context } from '@temporalio/activity';

/**
 * Interval of the reports. Each costs Temporal four commits, so there are no more than cancelation needs: a step hears of
 * it after this time at the latest. The workflow's time-out is three times as long.
 */
export const REPORT_MS = 5_000;

/** Runs a part of an activity and reports meanwhile. */
export async function reportingLife<T>(run: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), REPORT_MS);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
