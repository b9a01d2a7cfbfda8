import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './activities.ts';

const { announce, doNothing } = proxyActivities<BareActivities>({ startToCloseTimeout: '10 s' });

/** As many activities as a session has; the first one wakes the caller, as a session's analysis does. */
export async function bare(id: string, activities: number): Promise<void> {
  await announce(id);
  for (let i = 1; i < activities; i++) await doNothing();
}
