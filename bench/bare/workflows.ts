import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './activities.ts';

const { announce, doNothing } = proxyActivities<BareActivities>({ startToCloseTimeout: '10 s' });

/** Runs as many activities as a session. The activity that wakes the caller corresponds to the analysis. */
export async function bare(id: string, activities: number, wakesCaller: number): Promise<void> {
  for (let i = 1; i <= activities; i++) await (i === wakesCaller ? announce(id) : doNothing());
}
