/** Events that metrics count. They contain codes and durations, never content. Without a subscriber they cost nothing. */
import { channel } from 'node:diagnostics_channel';
import type { DeliveryFailure, ProviderName, SessionStatus, Step, ProviderFault } from '../../contract/constants.ts';

export interface EndedRequest {
  /** The `operationId` of the endpoint; undefined if no endpoint matched. */
  operation: string | undefined;
  status: number;
  durationMs: number;
}

export interface EndedCall {
  provider: ProviderName;
  step: Step;
  fault: ProviderFault | 'canceled' | null;
  durationMs: number;
}

/** Published once per attempt, after its end was stored. */
export interface ObservedAttempt {
  /** Status of the delivery after the attempt. */
  status: string;
  failure: DeliveryFailure | null;
}

/** Published once per end, after it was committed. */
export interface EndedSession {
  status: Extract<SessionStatus, 'completed' | 'failed' | 'canceled'>;
}

export interface RemovedSession {
  /** The retention time is over, or the workspace was deleted. */
  reason: 'retention' | 'workspace';
}

/** Published once per email, after the last try. */
export interface EndedMail {
  outcome: 'sent' | 'failed';
}

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

export const requestEnded = event<EndedRequest>('request-ended');
export const providerCallEnded = event<EndedCall>('provider-call-ended');
export const deliveryAttemptEnded = event<ObservedAttempt>('delivery-attempt-ended');
export const sessionEnded = event<EndedSession>('session-ended');
export const sessionRemoved = event<RemovedSession>('session-removed');
export const mailEnded = event<EndedMail>('mail-ended');
