import type { Transaction } from 'objection';
import type { SessionEvent } from '../../contract/values/constants.ts';
import type { SessionModel } from '../models/session.ts';
import { readRows } from '../statements.ts';

/** Returns the SQL condition that a session sends webhooks: those of a batch do so only if the batch has `notify`. */
export const NOTIFIES = (batchId: string) =>
  `not exists (select from batches where batches.id = ${batchId} and not batches.notify)`;

/** Returns the SQL condition that a row of `assistants` has a webhook for an event of a session. */
export const HAS_WEBHOOK = (batchId: string, event: string) =>
  `assistants.webhook_url is not null and cast(${event} as text) = any (assistants.webhook_events)
   and ${NOTIFIES(batchId)}`;

/** Returns the current webhook URL for an event of a session; null: none. */
export async function findWebhook(
  { assistant_id, batch_id, trial }: Pick<SessionModel, 'assistant_id' | 'batch_id' | 'trial'>,
  event: SessionEvent,
  trx: Transaction,
): Promise<string | null> {
  if (trial) return null;
  const rows = await readRows<{ webhook_url: string }[]>(
    `select webhook_url from assistants where id = :assistant_id and ${HAS_WEBHOOK('cast(:batch_id as text)', ':event')}`,
    { assistant_id, batch_id, event },
    trx,
  );
  return rows[0]?.webhook_url ?? null;
}
