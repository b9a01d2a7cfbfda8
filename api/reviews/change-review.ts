/** Changes of reviews, and the webhook that reports them. */
import type { Transaction, TransactionOrKnex } from 'objection';
import type { ReviewedWebhookPayload } from '../../contract/sessions/deliveries.ts';
import { ReviewSchema, type Review } from '../../contract/reviews/reviews.ts';
import { DeliveryModel } from '../../db/models/delivery.ts';
import { ProviderCallModel } from '../../db/models/provider-call.ts';
import { SessionModel } from '../../db/models/session.ts';
import { SessionReviewModel } from '../../db/models/session-review.ts';
import { findWebhook } from '../../db/queries/find-webhook.ts';
import { payloadOf } from '../../db/queries/session-payload.ts';
import { clock, inMs } from '../../db/statements.ts';
import { startDelivery } from '../../runtime/temporal/start.ts';
import type { ApiDeps } from '../deps.ts';
import { requireFound } from '../errors.ts';
import { presentRow } from '../http/handle.ts';
import { tryTemporal } from '../temporal.ts';

export type ReviewDeps = Pick<ApiDeps, 'config' | 'temporal' | 'log'>;

/** Changes of a review within this time are one event. */
const BURST_MS = 5_000;

const NO_REVIEW = {
  answers: {},
  unsure: [],
  summary_text: null,
  note: null,
  turn_notes: [],
  sampled: false,
  marks: {},
  history: [],
  reviewed_by: null,
  reviewed_at: null,
};

/** Returns a review, or an empty one if there is none, so that its first writer has an `ETag`. */
export function presentReview(session_id: string, row: SessionReviewModel | undefined): Review {
  if (!row) return { session_id, ...NO_REVIEW };
  const marks = Object.entries(row.marks).map(([name, { type: _, ...mark }]) => [name, mark] as const);
  return { ...presentRow(ReviewSchema, row), marks: Object.fromEntries(marks) };
}

/** Returns a session whose row is locked, so of several writers one comes first. */
export const lockSession = async (workspaceId: string, id: string, trx: TransactionOrKnex): Promise<SessionModel> =>
  requireFound(await SessionModel.findOwned(workspaceId, id, trx).forNoKeyUpdate(), 'session');

/** Runs a change in a transaction that holds the session, and reports the review that it leaves. @param change gets the present review. */
export async function changeReview<T>(
  deps: Omit<ReviewDeps, 'config'>,
  { workspaceId, id }: { workspaceId: string; id: string },
  change: (session: SessionModel, before: SessionReviewModel | undefined, trx: Transaction) => Promise<T>,
): Promise<T> {
  const { result, delivery } = await SessionModel.transaction(async (trx) => {
    const session = await lockSession(workspaceId, id, trx);
    const before = await SessionReviewModel.query(trx).findById(id);
    const changed = await change(session, before, trx);
    return { result: changed, delivery: await storeEvent(session, before !== undefined, trx) };
  });
  if (delivery)
    await tryTemporal(deps, delivery.id, () => startDelivery(deps.temporal, delivery, { delayMs: BURST_MS }));
  return result;
}

/** Stores the delivery of the review as it is now. Returns it if it is not part of an earlier one. */
async function storeEvent(
  session: SessionModel,
  wasReviewed: boolean,
  trx: Transaction,
): Promise<DeliveryModel | undefined> {
  const { id: session_id, workspace_id, assistant_id, summary_text, raw_response } = session;
  if ((await findWebhook(session, 'session.reviewed', trx)) === null) return undefined;
  const row = await SessionReviewModel.query(trx).findById(session_id);
  if (!row && !wasReviewed) return undefined;
  const total_cost = (await ProviderCallModel.findCosts([session_id], trx)).get(session_id)?.total_cost ?? 0;
  const payload: ReviewedWebhookPayload = {
    event: 'session.reviewed',
    ...payloadOf(session, { summary_text: summary_text ?? '', raw_response: raw_response ?? {} }, total_cost),
    review: row ? presentReview(session_id, row) : null,
  };
  const delivery = {
    workspace_id,
    session_id,
    assistant_id,
    event: payload.event,
    payload: JSON.stringify(payload),
  };
  if (await DeliveryModel.replacePayload(delivery, BURST_MS, trx)) return undefined;
  // The transaction may have waited for an earlier save: a burst begins when its delivery is stored.
  const [created] = await DeliveryModel.createOwn(
    [{ ...delivery, created_at: clock(), next_attempt_at: inMs(BURST_MS) }],
    trx,
  );
  return created;
}
