import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import type { WebhookEvent } from '../../contract/values/constants.ts';
import type { FailedWebhookPayload } from '../../contract/sessions/deliveries.ts';
import type { SessionError } from '../../contract/errors/session-error.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { SessionEnd } from '../../db/queries/session-end.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { findWebhook } from '../../db/queries/find-webhook.ts';
import { givenOf } from '../../db/queries/session-payload.ts';
import { finishSession } from '../../db/queries/session-status.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { startDelivery } from '../../runtime/temporal/start.ts';

export interface EndSessionInput {
  session_id: string;
  end: Extract<SessionEnd, { status: 'failed' | 'canceled' }>;
}

/**
 * Returns the activity that ends a session without a result. Does nothing if the session has ended. `session.failed` is
 * stored with the failure and delivered by its own workflow, because the session's workflow fails immediately.
 */
export function createEndSession({ client }: { client: Client }) {
  return async function endSession({ session_id, end }: EndSessionInput): Promise<void> {
    const isFirst = await SessionModel.transaction(async (trx) => {
      await ProviderCallModel.closeLost(session_id, trx);
      if (!(await finishSession(session_id, end, { trx }))) return false;
      if (end.status === 'failed') await announceFailure(session_id, end.error, trx);
      return true;
    });
    if (isFirst) sessionEnded.publish({ status: end.status });
    if (end.status !== 'failed') return;
    await startPendingDeliveries(client, session_id, 'session.failed');
  };
}

/** Starts the deliveries of an event, also those that an earlier run of the activity stored without starting them. */
export async function startPendingDeliveries(client: Client, sessionId: string, event: WebhookEvent): Promise<void> {
  const deliveries = await DeliveryModel.findPendingOfSession(sessionId, event);
  await Promise.all(deliveries.map((delivery) => startDelivery(client, delivery)));
}

async function announceFailure(sessionId: string, error: SessionError, trx: Transaction): Promise<void> {
  const session = await SessionModel.query(trx)
    .select('id', 'workspace_id', 'assistant_id', 'batch_id', 'trial', 'created_at', 'occurred_at', 'metadata')
    .findById(sessionId)
    .throwIfNotFound();
  const { workspace_id, assistant_id } = session;
  if ((await findWebhook(session, 'session.failed', trx)) === null) return;
  const cost = (await ProviderCallModel.findCosts([sessionId], trx)).get(sessionId);
  const payload: FailedWebhookPayload = {
    event: 'session.failed',
    session_id: sessionId,
    assistant_id,
    status: 'failed',
    summary_text: null,
    raw_response: null,
    total_cost: cost?.total_cost ?? 0,
    created_at: session.created_at.toISOString(),
    ...givenOf(session),
    error,
  };
  const delivery = { workspace_id, session_id: sessionId, assistant_id, event: payload.event };
  await DeliveryModel.createOwn([{ ...delivery, payload: JSON.stringify(payload) }], trx);
}
