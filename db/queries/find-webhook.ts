import type { TransactionOrKnex } from 'objection';
import type { SessionEvent } from '../../contract/constants.ts';
import { AssistantModel } from '../models/assistant.ts';
import { BatchModel } from '../models/batch.ts';
import type { SessionModel } from '../models/session.ts';

/**
 * Returns the URL that an event of a session is posted to; null for none. The assistant may have got or lost its webhook
 * since the session was submitted, and a batch sends nothing unless it was asked to.
 */
export async function findWebhook(
  { assistant_id, batch_id }: Pick<SessionModel, 'assistant_id' | 'batch_id'>,
  event: SessionEvent,
  trx: TransactionOrKnex,
): Promise<string | null> {
  const assistant = await AssistantModel.query(trx).select('webhook_url', 'webhook_events').findById(assistant_id);
  if (!assistant?.webhook_url || !assistant.webhook_events.includes(event)) return null;
  return (await BatchModel.isSilent(batch_id, trx)) ? null : assistant.webhook_url;
}
