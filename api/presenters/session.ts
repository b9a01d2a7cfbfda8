import type { Session, SessionListItem } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import { presentAudio } from './audio.ts';

/**
 * Shows a session.
 * @param config how long recordings are kept.
 */
export function presentSession(session: DetailedSession, { retentionDays }: { retentionDays: number }): Session {
  const { conversation, transcript, raw_response, assistant } = session.row;
  const audio = presentAudio(session.row, retentionDays);
  const roles = session.row.knownRoles;
  return { ...presentSessionListItem(session), conversation, transcript, roles, raw_response, assistant, audio };
}

export function presentSessionListItem({ row, cost, delivery }: DetailedSession): SessionListItem {
  return {
    session_id: row.id,
    assistant_id: row.assistant_id,
    assistant_version: row.assistant_version,
    assistant: { id: row.assistant_id, name: row.assistant_name, llm_model: row.llm_model },
    type: row.type,
    status: row.status,
    summary_text: row.summary_text,
    total_cost: cost.total_cost,
    cost_known: cost.cost_known,
    cost_breakdown: cost.items,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    waiting_for: presentWait(row),
    answered_by: row.answered_by,
    error: row.error,
    metadata: row.metadata,
    source_session_id: row.source_session_id,
    batch_id: row.batch_id,
    trial: row.trial,
    simulated: row.simulated,
    temperature_applied: row.temperature_applied,
    field_encoding: row.field_encoding,
    audio_duration_s: row.audio_duration_s,
    language: row.language,
    turn_count: row.turn_count,
    ...(row.fields !== undefined && { fields: row.fields, unverified_fields: row.unverified_fields ?? null }),
    delivery: delivery
      ? {
          delivery_id: delivery.id,
          status: delivery.status,
          next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
        }
      : null,
  };
}

function presentWait({ waiting_for_provider, waiting_since, waiting_reason }: SessionModel): Session['waiting_for'] {
  if (waiting_for_provider === null || waiting_since === null || waiting_reason === null) return null;
  return { provider: waiting_for_provider, since: waiting_since.toISOString(), reason: waiting_reason };
}
