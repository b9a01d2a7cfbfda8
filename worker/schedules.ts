/** The durable schedules, made or brought up to date when a worker starts. */
import { ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Client, ScheduleOptions } from '@temporalio/client';
import { TASK_QUEUE, WORKFLOWS } from '../contract/workflows.ts';

const SCHEDULES = [
  {
    scheduleId: 'sweep-lost-sessions',
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOWS.sweepLostSessions,
      workflowId: 'sweep-lost-sessions',
      taskQueue: TASK_QUEUE,
      workflowRunTimeout: '10 minutes',
    },
  },
  {
    scheduleId: 'sweep-lost-deliveries',
    spec: { intervals: [{ every: '1 minute' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOWS.sweepLostDeliveries,
      workflowId: 'sweep-lost-deliveries',
      taskQueue: TASK_QUEUE,
      workflowRunTimeout: '10 minutes',
    },
  },
  {
    scheduleId: 'remove-expired-audio',
    spec: { intervals: [{ every: '1 hour' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
    action: {
      type: 'startWorkflow',
      workflowType: WORKFLOWS.removeExpiredAudio,
      workflowId: 'remove-expired-audio',
      taskQueue: TASK_QUEUE,
      workflowRunTimeout: '4 hours',
    },
  },
] as const satisfies ScheduleOptions[];

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
