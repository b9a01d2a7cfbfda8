import { typeid } from 'typeid-js';
import type { TestWebhookPayload } from '../../contract/sessions/deliveries.ts';
import { SIGNALS, type RetryNowSignal } from '../../contract/workflows.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { signalWorkflow } from '../../runtime/temporal/runs.ts';
import { startDelivery } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { invalidAt, refusal } from '../errors.ts';
import { callTemporal, tryTemporal } from '../temporal.ts';

type DeliveryDeps = Pick<ApiDeps, 'temporal' | 'log'>;

/** Creates a new delivery with the same payload. */
export async function redeliver(deps: DeliveryDeps, original: DeliveryModel): Promise<DeliveryModel> {
  if (original.status === 'pending') throw refusal('delivery_pending');
  return start(deps, await DeliveryModel.createOwn([original.toReplay()]));
}

/** Creates a delivery in the format of `session.completed`, with sample values. */
export async function testWebhook(deps: DeliveryDeps, assistant: AssistantModel): Promise<DeliveryModel> {
  const { id: assistant_id, workspace_id, webhook_url } = assistant;
  if (webhook_url === null) throw invalidAt('webhook_url', 'not_set');
  const summary_text = 'This is a test of the webhook. The session does not exist.';
  const payload: TestWebhookPayload = {
    event: 'webhook.test',
    session_id: typeid('sess').toString(),
    assistant_id,
    status: 'completed',
    summary_text,
    raw_response: { summary_text },
    total_cost: 0,
    created_at: new Date().toISOString(),
  };
  const { event } = payload;
  const fields = { workspace_id, session_id: null, assistant_id, event, payload: JSON.stringify(payload) };
  return start(deps, await DeliveryModel.createOwn([fields]));
}

async function start(deps: DeliveryDeps, [delivery]: DeliveryModel[]): Promise<DeliveryModel> {
  if (!delivery) throw new TypeError('no delivery was inserted');
  await tryTemporal(deps, delivery.id, () => startDelivery(deps.temporal, delivery));
  return delivery;
}

/** Skips the wait before the next attempt. */
export async function retryNow({ temporal }: Pick<DeliveryDeps, 'temporal'>, delivery: DeliveryModel): Promise<void> {
  const { id, status, workflow_id, next_attempt_at, attempts = [] } = delivery;
  if (status !== 'pending') throw refusal('delivery_ended:retry', { status });
  const last = attempts.at(-1);
  if (!last || last.outcome === null) throw refusal('attempt_running');
  const signal: RetryNowSignal = { attempt: last.attempt + 1 };
  const isRetried = await callTemporal(temporal, async () => {
    if (await signalWorkflow(temporal, workflow_id, SIGNALS.retryNow, signal)) return true;
    if (workflow_id !== id) return false;
    await startDelivery(temporal, delivery, { attemptsMade: last.attempt });
    return true;
  });
  if (!isRetried) throw refusal('delivery_lost');
  await DeliveryModel.hasten(id, next_attempt_at);
}

/** Stops a delivery by its row. A workflow that misses the signal ends before its next attempt. */
export async function stopDelivery(deps: DeliveryDeps, { id, workflow_id }: DeliveryModel): Promise<void> {
  const fields = { status: 'stopped', stop_reason: 'requested', next_attempt_at: null } as const;
  if ((await DeliveryModel.patchPending(id, fields)) === 0) throw refusal('delivery_ended');
  await tryTemporal(deps, id, () => signalWorkflow(deps.temporal, workflow_id, SIGNALS.stopDelivery));
}
