/** The durable schedules, created or updated after a worker starts. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUE, WORKFLOWS } from '../contract/workflows.ts';
import type { Log } from '../runtime/telemetry/log.ts';

/** Temporal's scheduler may not be ready for minutes after the server starts on a busy machine. */
const RETRY_MS = 5_000;

const SWEEPS = [
  // Triggered sooner if something is overdue: worker/watch-overdue.ts.
  { workflowType: WORKFLOWS.sweepLostSessions, every: '5 minutes' },
  { workflowType: WORKFLOWS.sweepLostDeliveries, every: '5 minutes' },
  { workflowType: WORKFLOWS.removeDeletedWorkspaces, every: '5 minutes' },
  { workflowType: WORKFLOWS.removeExpiredAudio, every: '1 hour' },
  { workflowType: WORKFLOWS.removeExpiredKeys, every: '1 hour' },
  { workflowType: WORKFLOWS.removeExpiredSessions, every: '1 hour' },
  { workflowType: WORKFLOWS.renewSearchWords, every: '1 hour' },
] as const;

export const SCHEDULES = SWEEPS.map(({ workflowType, every }) => ({
  scheduleId: workflowType,
  spec: { intervals: [{ every }] },
  // A missed sweep is not repeated: the next one finds the same rows.
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every },
  action: {
    type: 'startWorkflow' as const,
    workflowType,
    workflowId: workflowType,
    taskQueue: TASK_QUEUE,
    workflowRunTimeout: '4 hours' as const,
  },
})) satisfies ScheduleOptions[];

export const SCHEDULE_IDS: readonly string[] = SCHEDULES.map(({ scheduleId }) => scheduleId);

/**
 * Creates or updates the schedules in the background and retries until that succeeds, so a start neither waits for the
 * scheduler nor fails because of it. Returns a function that ends the retries.
 */
export function ensureSchedulesInBackground(
  { client, log }: { client: Client; log: Log },
  retryMs = RETRY_MS,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const attempt = () => {
    ensureSchedules(client).catch((err: unknown) => {
      // Stopping closes the connection under a call that is still running.
      if (isStopped) return;
      log.warn({ err }, 'could not create the schedules; retrying');
      timer = setTimeout(attempt, retryMs);
    });
  };
  attempt();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Creates or updates the schedules of the sweeps. Paused schedules stay paused. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const schedule of SCHEDULES) {
    try {
      await client.schedule.create(schedule);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      const { spec, policies, action } = schedule;
      await client.schedule.getHandle(schedule.scheduleId).update(({ state }) => ({ spec, policies, action, state }));
    }
  }
}
