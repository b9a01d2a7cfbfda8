import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const activities = proxyActivities<Activities>({ startToCloseTimeout: '10 minutes', retry: { maximumAttempts: 3 } });

/** Run by a schedule; what it finds is in `activities/sweep-lost-deliveries.ts`. */
export async function sweepLostDeliveries() {
  return activities.sweepLostDeliveries();
}
