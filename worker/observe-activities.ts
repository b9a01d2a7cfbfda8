/** Tells of what the activities of sessions and deliveries came to. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import type { EndSessionInput } from '../activities/sessions/end-session.ts';
import { FINAL_SESSION_STATUSES } from '../contract/constants.ts';
import { deliveryAttemptEnded, sessionEnded } from '../runtime/telemetry/events.ts';

type Outcome<A extends keyof Activities> = Awaited<ReturnType<Activities[A]>>;

export const observeActivities: ActivityInterceptorsFactory = ({ info: { activityType } }) => ({
  inbound: {
    async execute(input, next) {
      const outcome: unknown = await next(input);
      if (activityType === 'postWebhook') {
        const attempt = outcome as Outcome<'postWebhook'>;
        if (attempt.status !== 'busy') deliveryAttemptEnded.tell(attempt);
      } else if (activityType === 'analyzeConversation') {
        tellEnd((outcome as Outcome<'analyzeConversation'>).status);
      } else if (activityType === 'endSession') {
        tellEnd((input.args[0] as EndSessionInput).end.status);
      }
      return outcome;
    },
  },
});

function tellEnd(status: string): void {
  const end = FINAL_SESSION_STATUSES.find((one) => one === status);
  if (end !== undefined) sessionEnded.tell({ status: end });
}
