import type { Client } from '@temporalio/client';
import type { Transaction } from 'objection';
import type { FailedWebhookPayload } from '../../contract/deliveries.ts';
import type { SessionError } from '../../contract/sessions.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { SessionModel } from '../../db/models/session.ts';
import type { SessionEnd } from '../../db/models/session.ts';
import { VendorCallModel } from '../../db/models/vendor-call.ts';
import { findWebhook } from '../../db/queries/find-webhook.ts';
import { sessionEnded } from '../../runtime/telemetry/events.ts';
import { startDelivery } from '../../runtime/temporal/start-delivery.ts';

export interface EndSessionInput {
  session_id: string;
  end: Extract<SessionEnd, { status: 'failed' | 'canceled' }>;
}

/**
 * Returns the activity that ends a session without a result; a session that has ended stays as it is. `session.failed`
 * is stored with the failure and delivered by a workflow of its own, because the session's workflow fails at once, so
 * that the session may be retried.
 */
export function createEndSession({ client }: { client: Client }) {
  return async function endSession({ session_id, end }: EndSessionInput): Promise<void> {
    const isFirst = await SessionModel.transaction(async (trx) => {
      await VendorCallModel.closeLost(session_id, trx);
      if (!(await SessionModel.finish(session_id, end, trx))) return false;
      if (end.status === 'failed') await announceFailure(session_id, end.error, trx);
      return true;
    });
    if (isFirst) sessionEnded.tell({ status: end.status });
    if (end.status !== 'failed') return;
    // Deliveries are read from the database, because an earlier run of this activity may have died before it started
    // them.
    for (const delivery of await DeliveryModel.findPendingOfSession(session_id, 'session.failed')) {
      await startDelivery(client, delivery);
    }
  };
}

async function announceFailure(sessionId: string, error: SessionError, trx: Transaction): Promise<void> {
  const session = await SessionModel.query(trx)
    .select('id', 'user_id', 'assistant_id', 'batch_id', 'trial', 'created_at')
    .findById(sessionId)
    .throwIfNotFound();
  const { user_id, assistant_id } = session;
  if ((await findWebhook(session, 'session.failed', trx)) === null) return;
  const cost = (await VendorCallModel.findCosts([sessionId], trx)).get(sessionId);
  const payload: FailedWebhookPayload = {
    event: 'session.failed',
    session_id: sessionId,
    assistant_id,
    status: 'failed',
    summary_text: null,
    raw_response: null,
    total_cost: cost?.total_cost ?? 0,
    created_at: session.created_at.toISOString(),
    error,
  };
  const delivery = { user_id, session_id: sessionId, assistant_id, event: payload.event };
  await DeliveryModel.createOwn([{ ...delivery, payload: JSON.stringify(payload) }], trx);
}
