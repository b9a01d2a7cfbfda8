import { performance } from 'node:perf_hooks';
import { Context } from '@temporalio/activity';
import {
  WEBHOOK_DELAYS_MS,
  WEBHOOK_TIMEOUT_MS,
  type DeliveryFailure,
  type DeliveryStatus,
  type StopReason,
} from '../../contract/values/constants.ts';
import type { Receiver } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel, type AttemptEnd } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SecretBox } from '../../runtime/secrets/secrets.ts';
import type { WebhookHttp } from '../../runtime/outbound/webhook-http.ts';
import { deliveryAttemptEnded } from '../../runtime/telemetry/events.ts';
import { busy, type OutboundSlots } from '../outbound-slots.ts';
import { retryWhileDatabaseDown } from '../retry-while-database-down.ts';
import { maskSecret } from './mask-secret.ts';
import { buildWebhookHeaders, maskSecrets } from './webhook-headers.ts';

interface PostWebhookDeps {
  http: WebhookHttp;
  secrets: SecretBox;
  slots: OutboundSlots;
  /** Reports a delivery whose last attempt failed. May be called again. */
  report: (delivery: DeliveryModel) => Promise<void>;
}

export interface PostWebhookInput {
  delivery_id: string;
  /** Number of the attempt, 1 to 4. */
  attempt: number;
  /** Whose slots it uses. */
  payer: string;
}

export interface EndedAttempt {
  /** Status of the delivery after this attempt; `pending` if there is another attempt. */
  status: DeliveryStatus;
  failure: DeliveryFailure | null;
  status_code: number | null;
  host?: string;
}

/**
 * Returns the activity that makes one attempt: at most one POST, even if the worker dies. A refusal or a network fault is
 * a return value. If the worker died, Temporal runs the activity again, which closes the attempt's row. Throws `busy` if
 * this worker has no slot for the attempt: nothing was sent, and Temporal retries.
 */
export function createPostWebhook({ http, secrets, slots, report }: PostWebhookDeps) {
  return async function postWebhook(input: PostWebhookInput): Promise<EndedAttempt> {
    const delivery = await DeliveryModel.findForAttempt(input.delivery_id);
    const outcome = await attemptOf(input, delivery);
    if (delivery && outcome.status === 'failed') await report(delivery);
    return outcome;
  };

  async function attemptOf({ delivery_id, attempt, payer }: PostWebhookInput, delivery: DeliveryModel | undefined) {
    if (delivery?.status !== 'pending') return closeEnded(delivery, attempt);
    // The assistant is read for every attempt, so a corrected URL applies to pending deliveries.
    const { assistant } = delivery;
    if (!assistant) return stop(delivery_id, 'assistant_deleted');
    const receiver = assistant.findReceiver(delivery.alert);
    if (!receiver) return stop(delivery_id, delivery.alert === null ? 'webhook_url_removed' : 'alert_removed');

    const { host, hostname } = new URL(receiver.url);
    const release = slots.claim({ hostname, payer });
    if (typeof release === 'string') throw busy(release, host, 'attempts');
    try {
      return { ...(await post(delivery, receiver, attempt)), host };
    } finally {
      release();
    }
  }

  async function post(delivery: DeliveryModel, { url, secret: sealed, auth, owner }: Receiver, attempt: number) {
    const { id: delivery_id, event, payload, replayed_from, simulated } = delivery;
    const secret = sealed === null ? null : secrets.open(sealed, owner);
    const headers =
      secret === undefined
        ? {}
        : buildWebhookHeaders({
            delivery_id,
            event,
            attempt,
            payload,
            replayed_from,
            simulated: simulated === true,
            secret,
            auth,
          });
    const row = { delivery_id, attempt, url, request_headers: maskSecrets(headers) };
    if (!(await DeliveryAttemptModel.open(row))) return closeLostAttempt(delivery_id, attempt);
    // Never send an unsigned request. A new secret, set before the next attempt, saves the delivery.
    if (secret === undefined) {
      return recordEnd({ delivery_id, attempt, failure: 'secret_unreadable', status_code: null, duration_ms: 0 });
    }
    const signal = Context.current().cancellationSignal;
    const started = performance.now();
    const exchange = await http.post({ url, headers, body: payload, timeoutMs: WEBHOOK_TIMEOUT_MS, signal });
    const duration_ms = Math.round(performance.now() - started);
    const end = { delivery_id, attempt, ...maskSecret(exchange, secret), duration_ms };
    return retryWhileDatabaseDown(() => recordEnd(end), signal);
  }
}

/** Stores the end of the attempt and the delivery's status together. A stopped delivery stays stopped. */
async function recordEnd(end: AttemptEnd): Promise<EndedAttempt> {
  const outcome = outcomeOf(end);
  const delayMs = WEBHOOK_DELAYS_MS[end.attempt - 1] ?? 0;
  const { isFirst, status } = await DeliveryAttemptModel.end(end, outcome.status, delayMs);
  if (isFirst) deliveryAttemptEnded.publish({ ...outcome, status });
  return { ...outcome, status };
}

/** Returns the delivery's status after an attempt. Its number decides whether there is another attempt. Spec §6.4. */
function outcomeOf({
  failure,
  status_code,
  attempt,
}: Pick<DeliveryAttemptModel, 'failure' | 'status_code' | 'attempt'>): EndedAttempt {
  const isLast = WEBHOOK_DELAYS_MS[attempt - 1] === undefined;
  return { status: failure === null ? 'delivered' : isLast ? 'failed' : 'pending', failure, status_code };
}

const ended = (status: DeliveryStatus): EndedAttempt => ({ status, failure: null, status_code: null });

/** Closes the attempt of a delivery that ended before the attempt, or while a worker that died was making it. */
async function closeEnded(delivery: DeliveryModel | undefined, attempt: number): Promise<EndedAttempt> {
  if (!delivery) return ended('stopped');
  const lost = { failure: 'worker_lost', next_attempt_at: null } as const;
  const { status } = delivery;
  if (await DeliveryAttemptModel.close(delivery.id, attempt, lost)) deliveryAttemptEnded.publish({ ...lost, status });
  return ended(status);
}

/** Closes an attempt that an earlier run of this activity opened but did not close, because its worker died. */
async function closeLostAttempt(delivery_id: string, attempt: number): Promise<EndedAttempt> {
  const row = await DeliveryAttemptModel.query().findById([delivery_id, attempt]).throwIfNotFound();
  if (row.outcome !== null) return outcomeOf(row);
  return recordEnd({ delivery_id, attempt, failure: 'worker_lost', status_code: null });
}

async function stop(delivery_id: string, reason: StopReason): Promise<EndedAttempt> {
  await stopDelivery({ delivery_id, reason });
  return ended('stopped');
}

/** Stops a pending delivery. Does nothing if it has ended. */
export async function stopDelivery({ delivery_id, reason }: { delivery_id: string; reason: StopReason }) {
  await DeliveryModel.patchPending(delivery_id, { status: 'stopped', stop_reason: reason, next_attempt_at: null });
}
