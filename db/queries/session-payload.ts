/** What the webhooks of a session contain. */
import type { CompletedPayload } from '../../contract/sessions/deliveries.ts';
import type { SessionModel } from '../models/session.ts';

/** Returns what the submitter said about a conversation. */
export const givenOf = ({ metadata, occurred_at }: Pick<SessionModel, 'metadata' | 'occurred_at'>) => ({
  ...(occurred_at && { occurred_at: occurred_at.toISOString() }),
  ...(Object.keys(metadata).length > 0 && { metadata }),
});

/** @param total_cost in US dollars. */
export const payloadOf = (
  session: SessionModel,
  { summary_text, raw_response }: Pick<CompletedPayload, 'summary_text' | 'raw_response'>,
  total_cost: number,
): CompletedPayload => ({
  session_id: session.id,
  assistant_id: session.assistant_id,
  status: 'completed',
  summary_text,
  raw_response,
  total_cost,
  created_at: session.created_at.toISOString(),
  ...givenOf(session),
});
