import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './activities.ts';

const { announce, doNothing } = proxyActivities<BareActivities>({ startToCloseTimeout: '10 s' });

/** Runs as many activities as a session. The one that wakes the caller takes the place of the analysis. */
export async function bare(id: string, activities: number, wakesCaller: number): Promise<void> {
  for (let i = 1; i <= activities; i++) await (i === wakesCaller ? announce(id) : doNothing());
}
