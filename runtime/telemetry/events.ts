/** The events that metrics count. They carry codes and times, no content; without a listener nothing is done. */
import { channel } from 'node:diagnostics_channel';
import type { DeliveryFailure, ProviderName, SessionStatus, Step, VendorFault } from '../../contract/constants.ts';

export interface EndedRequest {
  /** The `operationId` of the endpoint; undefined when the request meant none. */
  operation: string | undefined;
  status: number;
  durationMs: number;
}

export interface EndedCall {
  provider: ProviderName;
  step: Step;
  fault: VendorFault | 'canceled' | null;
  durationMs: number;
}

/** Told once for each attempt, after its end was stored. */
export interface ObservedAttempt {
  /** The status of its delivery after the attempt. */
  status: string;
  failure: DeliveryFailure | null;
}

/** Told once for each end, by who stored it and after that was committed. */
export interface EndedSession {
  status: Extract<SessionStatus, 'completed' | 'failed' | 'canceled'>;
}

export interface RemovedSession {
  /** Its time was over, or its owner deleted the account. */
  reason: 'retention' | 'account';
}

function event<T extends object>(name: string) {
  const events = channel(`conversation-analysis.${name}`);
  return {
    tell(message: T): void {
      if (events.hasSubscribers) events.publish(message);
    },
    /** Returns the function that ends the listening. */
    listen(listener: (message: T) => void): () => unknown {
      const onMessage = (message: unknown) => listener(message as T);
      events.subscribe(onMessage);
      return () => events.unsubscribe(onMessage);
    },
  };
}

export const requestEnded = event<EndedRequest>('request-ended');
export const vendorCallEnded = event<EndedCall>('vendor-call-ended');
export const deliveryAttemptEnded = event<ObservedAttempt>('delivery-attempt-ended');
export const sessionEnded = event<EndedSession>('session-ended');
export const sessionRemoved = event<RemovedSession>('session-removed');
