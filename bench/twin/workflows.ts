import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TwinActivities } from './activities.ts';

const { transcribe, analyze } = proxyActivities<TwinActivities>({
  startToCloseTimeout: '3 hours',
  scheduleToCloseTimeout: '2 days',
  heartbeatTimeout: '15 s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});
const { deliver } = proxyActivities<TwinActivities>({ startToCloseTimeout: '20 s' });

/** Runs the steps of a session, as the service does. */
export async function twin(id: string, isVoice: boolean): Promise<void> {
  if (isVoice) await transcribe(id);
  const delivery = await analyze(id);
  if (delivery !== null) await deliver(delivery);
}
