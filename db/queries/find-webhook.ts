import type { Transaction } from 'objection';
import type { SessionEvent } from '../../contract/constants.ts';
import type { SessionModel } from '../models/session.ts';

/** Returns the URL that an event of a session is posted to now; null for none. */
export async function findWebhook(
  { assistant_id, batch_id, trial }: Pick<SessionModel, 'assistant_id' | 'batch_id' | 'trial'>,
  event: SessionEvent,
  trx: Transaction,
): Promise<string | null> {
  if (trial) return null;
  const { rows } = await trx.raw<{ rows: { webhook_url: string }[] }>('select webhook_url from webhook_for(?, ?, ?)', [
    assistant_id,
    batch_id,
    event,
  ]);
  return rows[0]?.webhook_url ?? null;
}
