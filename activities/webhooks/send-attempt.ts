/** Makes an attempt whose row is stored, and stores its end. */
import { performance } from 'node:perf_hooks';
import { Context } from '@temporalio/activity';
import { WEBHOOK_DELAYS_MS, WEBHOOK_TIMEOUT_MS } from '../../contract/constants.ts';
import type { DeliveryFailure, DeliveryStatus } from '../../contract/constants.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import type { WebhookExchange, WebhookHttp } from '../../runtime/outbound/webhook-http.ts';
import { deliveryAttemptEnded } from '../../runtime/telemetry/events.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import { maskSecret } from './mask-secret.ts';

export interface EndedAttempt {
  /** Status of the delivery after this attempt; `pending` if it is to be tried again. */
  status: DeliveryStatus;
  failure: DeliveryFailure | null;
  status_code: number | null;
  /** The host that it went to. */
  host?: string;
}

export interface AttemptToSend {
  delivery_id: string;
  /** Number of the attempt, 1 to 4. */
  attempt: number;
  url: string;
  headers: Record<string, string>;
  payload: string;
  /** What must not stand in the record of the answer. */
  secret: string | null;
}

/** Posts once, whatever comes of it, and does not give up the record while the database is away. */
export async function sendAttempt(
  { http }: { http: WebhookHttp },
  { delivery_id, attempt, url, headers, payload, secret }: AttemptToSend,
): Promise<EndedAttempt> {
  const signal = Context.current().cancellationSignal;
  const started = performance.now();
  const exchange = await http.post({ url, headers, body: payload, timeoutMs: WEBHOOK_TIMEOUT_MS, signal });
  const duration_ms = Math.round(performance.now() - started);
  return retryWhileDatabaseDown(
    () => recordEnd({ delivery_id, attempt, ...maskSecret(exchange, secret), duration_ms }),
    signal,
  );
}

/** Stores the attempt's end and its delivery's state together. A delivery that was stopped meanwhile stays stopped. */
export async function recordEnd(
  end: Pick<DeliveryAttemptModel, 'delivery_id' | 'attempt'> &
    Pick<WebhookExchange, 'failure' | 'status_code'> &
    Partial<WebhookExchange> & { duration_ms?: number },
): Promise<EndedAttempt> {
  const outcome = outcomeOf(end.failure, end.status_code, end.attempt);
  const delayMs = WEBHOOK_DELAYS_MS[end.attempt - 1] ?? 0;
  const { isFirst, status } = await DeliveryAttemptModel.end(end, outcome.status, delayMs);
  if (isFirst) deliveryAttemptEnded.tell({ ...outcome, status });
  return { ...outcome, status };
}

/** Returns the delivery's state after an attempt, whose number decides whether there is another one. Spec §6.4. */
export function outcomeOf(failure: DeliveryFailure | null, status_code: number | null, attempt: number): EndedAttempt {
  const isLast = WEBHOOK_DELAYS_MS[attempt - 1] === undefined;
  return { status: failure === null ? 'delivered' : isLast ? 'failed' : 'pending', failure, status_code };
}
