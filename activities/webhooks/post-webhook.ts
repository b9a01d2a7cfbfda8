import type { DeliveryStatus, StopReason } from '../../contract/constants.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryAttemptModel } from '../../db/models/delivery-attempt.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import type { SecretBox } from '../../runtime/secrets.ts';
import type { WebhookHttp } from '../../runtime/outbound/webhook-http.ts';
import { deliveryAttemptEnded } from '../../runtime/telemetry/events.ts';
import { outcomeOf, recordEnd, sendAttempt } from './send-attempt.ts';
import type { EndedAttempt } from './send-attempt.ts';
import { buildWebhookHeaders, maskSecrets } from './webhook-headers.ts';
import type { Bound, WebhookSlots } from './webhook-slots.ts';

export interface PostWebhookDeps {
  http: WebhookHttp;
  secrets: SecretBox;
  slots: WebhookSlots;
}

export interface PostWebhookInput {
  delivery_id: string;
  /** Number of the attempt, 1 to 4. */
  attempt: number;
}

/** Nothing was sent: as many attempts as may be are under way. To be asked again. */
export interface RefusedAttempt {
  status: 'busy';
  /** Of the URL, with the port. */
  host: string;
  bound: Bound;
}

export type AttemptOutcome = EndedAttempt | RefusedAttempt;

/**
 * Returns the activity that makes one attempt: one POST at most, whatever happens to the worker. A refusal or a network
 * fault is an outcome and not an exception. If the worker was lost, Temporal runs the activity again, which finds the
 * attempt's row and closes it.
 */
export function createPostWebhook({ http, secrets, slots }: PostWebhookDeps) {
  return async function postWebhook({ delivery_id, attempt }: PostWebhookInput): Promise<AttemptOutcome> {
    const delivery = await DeliveryModel.query().findById(delivery_id).withGraphJoined('assistant');
    if (delivery?.status !== 'pending') return closeEnded(delivery, attempt);
    // The assistant is read for every attempt, so that a corrected URL helps deliveries that wait.
    const { assistant } = delivery;
    if (!assistant) return stop(delivery_id, 'assistant_deleted');
    const url = assistant.webhook_url;
    if (url === null) return stop(delivery_id, 'webhook_url_removed');

    const { host, hostname } = new URL(url);
    const free = slots.claim({ hostname, userId: delivery.user_id, workflowId: delivery.workflow_id });
    if (typeof free === 'string') return { status: 'busy', host, bound: free };
    try {
      return { ...(await post(delivery, assistant, url, attempt)), host };
    } finally {
      free();
    }
  };

  async function post(delivery: DeliveryModel, assistant: AssistantModel, url: string, attempt: number) {
    const { id: delivery_id, event, payload, replayed_from } = delivery;
    const sealed = assistant.webhook_secret;
    const secret = sealed === null ? null : secrets.open(sealed, assistant.id);
    // The receiver would refuse an unsigned request, or worse, accept it.
    if (secret === undefined) return recordUnsent(delivery_id, attempt, url);
    const headers = buildWebhookHeaders({ delivery_id, event, attempt, payload, replayed_from, secret });
    const isFirstRun = await DeliveryAttemptModel.open({
      delivery_id,
      attempt,
      url,
      request_headers: maskSecrets(headers),
    });
    if (!isFirstRun) return closeLostAttempt(delivery_id, attempt);

    return sendAttempt({ http }, { delivery_id, attempt, url, headers, payload, secret });
  }
}

/** Records an attempt of which nothing was sent. A new secret, set before the next attempt, saves the delivery. */
async function recordUnsent(delivery_id: string, attempt: number, url: string): Promise<EndedAttempt> {
  const isFirstRun = await DeliveryAttemptModel.open({ delivery_id, attempt, url, request_headers: {} });
  if (!isFirstRun) return closeLostAttempt(delivery_id, attempt);
  return recordEnd({ delivery_id, attempt, failure: 'secret_unreadable', status_code: null, duration_ms: 0 });
}

const ended = (status: DeliveryStatus): EndedAttempt => ({ status, failure: null, status_code: null });

/** Closes the attempt of a delivery that ended before it, or while a worker that died was making it. */
async function closeEnded(delivery: DeliveryModel | undefined, attempt: number): Promise<EndedAttempt> {
  if (!delivery) return ended('stopped');
  const lost = { failure: 'worker_lost', next_attempt_at: null } as const;
  const { status } = delivery;
  if (await DeliveryAttemptModel.close(delivery.id, attempt, lost)) deliveryAttemptEnded.tell({ ...lost, status });
  return ended(status);
}

async function stop(deliveryId: string, stop_reason: StopReason): Promise<EndedAttempt> {
  await DeliveryModel.patchPending(deliveryId, { status: 'stopped', stop_reason, next_attempt_at: null });
  return ended('stopped');
}

/** Closes an attempt that an earlier run of this activity began but never reported, because its worker died. */
async function closeLostAttempt(deliveryId: string, attempt: number): Promise<EndedAttempt> {
  const row = await DeliveryAttemptModel.query().findById([deliveryId, attempt]).throwIfNotFound();
  if (row.outcome !== null) return outcomeOf(row.failure, row.status_code, attempt);
  return recordEnd({ delivery_id: deliveryId, attempt, failure: 'worker_lost', status_code: null });
}
