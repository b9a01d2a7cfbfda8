import type { TestWebhookPayload } from '../../contract/deliveries.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, invalid } from '../errors.ts';
import { startBestEffort } from './start-best-effort.ts';
import { typeid } from 'typeid-js';

type Deps = Pick<ApiDeps, 'temporal' | 'log'>;

/** Makes a new delivery of the same bytes. */
export async function redeliver(deps: Deps, original: DeliveryModel): Promise<DeliveryModel> {
  if (original.status === 'pending') {
    throw new ApiError('conflict', 'This delivery is still pending. Retry it now, or stop it first.');
  }
  const { id: replayed_from, user_id, session_id, assistant_id, event, payload } = original;
  return create(deps, { user_id, session_id, assistant_id, event, payload, replayed_from });
}

/** Makes a delivery with the form of `session.completed` and values that mean nothing. */
export async function testWebhook(deps: Deps, assistant: AssistantModel): Promise<DeliveryModel> {
  const { id: assistant_id, user_id, webhook_url } = assistant;
  if (webhook_url === null) throw invalid({ path: 'webhook_url', message: 'the assistant has none' });
  const summary_text = 'This is a test of the webhook: there is no such session.';
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
  const fields = { user_id, session_id: null, assistant_id, event: payload.event, payload: JSON.stringify(payload) };
  return create(deps, fields, webhook_url);
}

async function create(
  deps: Deps,
  fields: Parameters<typeof DeliveryModel.createOwn>[0][number],
  webhookUrl?: string,
): Promise<DeliveryModel> {
  const [delivery] = await DeliveryModel.createOwn([fields]);
  if (!delivery) throw new TypeError('one delivery was inserted');
  await startBestEffort(deps, delivery.id, () => startDelivery(deps.temporal, delivery, { webhookUrl }));
  return delivery;
}
