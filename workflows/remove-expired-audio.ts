import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

const activities = proxyActivities<Activities>({ startToCloseTimeout: '1 hour', retry: { maximumAttempts: 3 } });

/** Run by a schedule; what it removes is in `activities/remove-expired-audio.ts`. */
export async function removeExpiredAudio() {
  return activities.removeExpiredAudio();
}
