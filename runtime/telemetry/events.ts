/** Events that metrics count. They contain codes and durations, never content. Without a subscriber they cost nothing. */
import { channel } from 'node:diagnostics_channel';
import type { DeliveryFailure, ProviderFault, ProviderName, Step } from '../../contract/values/constants.ts';

function event<T extends object>(name: string) {
  const events = channel(`conversation-analysis.${name}`);
  return {
    publish(message: T): void {
      if (events.hasSubscribers) events.publish(message);
    },
    /** Returns the function that ends the subscription. */
    subscribe(listener: (message: T) => void): () => unknown {
      const onMessage = (message: unknown) => listener(message as T);
      events.subscribe(onMessage);
      return () => events.unsubscribe(onMessage);
    },
  };
}

export const requestEnded = event<{
  /** The `operationId` of the endpoint; undefined if no endpoint matched. */
  operation: string | undefined;
  status: number;
  durationMs: number;
}>('request-ended');

export const providerCallEnded = event<{
  provider: ProviderName;
  step: Step;
  fault: ProviderFault | 'canceled' | 'internal' | null;
  durationMs: number;
}>('provider-call-ended');

/** Published once per attempt, after its end was stored, with the status of the delivery after the attempt. */
export const deliveryAttemptEnded = event<{ status: string; failure: DeliveryFailure | null }>(
  'delivery-attempt-ended',
);

/** Published once per end, after it was committed. */
export const sessionEnded = event<{ status: 'completed' | 'failed' | 'canceled' }>('session-ended');

/** The retention time is over, or the workspace was deleted. */
export const sessionRemoved = event<{ reason: 'retention' | 'workspace' }>('session-removed');

/** Published once per email, after the last try. */
export const mailEnded = event<{ outcome: 'sent' | 'failed' }>('mail-ended');
