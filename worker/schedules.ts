/** The durable schedules, made or brought up to date when a worker starts. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUE, WORKFLOWS } from '../contract/workflows.ts';

const SWEEPS = [
  // Sooner where something is overdue: worker/watch-overdue.ts.
  { workflowType: WORKFLOWS.sweepLostSessions, every: '5 minutes' },
  { workflowType: WORKFLOWS.sweepLostDeliveries, every: '5 minutes' },
  { workflowType: WORKFLOWS.removeDeletedAccounts, every: '5 minutes' },
  { workflowType: WORKFLOWS.removeExpiredAudio, every: '1 hour' },
  { workflowType: WORKFLOWS.removeExpiredKeys, every: '1 hour' },
  { workflowType: WORKFLOWS.removeExpiredSessions, every: '1 hour' },
] as const;

const SCHEDULES = SWEEPS.map(({ workflowType, every }) => ({
  scheduleId: workflowType,
  spec: { intervals: [{ every }] },
  // What a sweep missed, the next one finds: none is made up for.
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

/** Makes the schedules of the sweeps. One that an operator paused stays paused. */
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
