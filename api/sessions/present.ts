import type { ProviderCall } from '../../contract/timeline.ts';
import type { Session, SessionAudio, SessionListItem } from '../../contract/sessions.ts';
import type { AudioSource } from '../../db/models/audio-source.ts';
import type { ProviderCallModel } from '../../db/models/provider-call.ts';
import type { SessionModel, SessionWait } from '../../db/models/session.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';

export function presentSession(session: DetailedSession, { retentionDays }: { retentionDays: number }): Session {
  const { conversation, transcript, redaction, raw_response, assistant } = session.row;
  const audio = presentAudio(session.row, retentionDays);
  const roles = session.row.knownRoles;
  const queue = session.row.status === 'queued' ? { ahead: session.ahead ?? 0 } : null;
  const audio_source = session.row.audio_source && presentSource(session.row.audio_source);
  const content = { conversation, transcript, roles, redaction, raw_response };
  return { ...presentSessionListItem(session), queue, ...content, assistant, audio, audio_source };
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
    waiting_for: row.waiting && presentWait(row.waiting),
    answered_by: row.answered_by,
    error: row.error,
    metadata: row.metadata,
    source_session_id: row.source_session_id,
    created_by: row.created_by,
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

function presentWait({ provider, reason, since, next_try_at }: SessionWait): Session['waiting_for'] {
  const asIso = (time: string) => new Date(time).toISOString();
  return { provider, reason, since: asIso(since), next_try_at: asIso(next_try_at) };
}

function presentSource(source: AudioSource): Session['audio_source'] {
  const { host, attempts, bytes_received, bytes_total, last_failure, status_code, next_attempt_at } = source;
  const next = next_attempt_at === null ? null : new Date(next_attempt_at).toISOString();
  return { host, attempts, bytes_received, bytes_total, last_failure, status_code, next_attempt_at: next };
}

const DAY_MS = 24 * 3_600_000;

/** Returns null for text sessions and reanalyses, which never have a recording. */
function presentAudio(row: SessionModel, retentionDays: number): SessionAudio | null {
  const { audio, type, source_session_id, completed_at } = row;
  if (type !== 'voice' || source_session_id !== null) return null;
  const keptMs = row.keptAudioDays(retentionDays) * DAY_MS;
  return {
    available: audio !== null,
    content_type: audio?.media_type ?? null,
    bytes: audio?.bytes ?? null,
    expires_at: audio && completed_at ? new Date(completed_at.getTime() + keptMs).toISOString() : null,
  };
}

export function presentProviderCall(row: ProviderCallModel): ProviderCall {
  const { step, attempt, provider, model, status, provider_request_id, provider_response } = row;
  return {
    call_id: row.callId,
    step,
    attempt,
    provider,
    model,
    status,
    provider_request_id,
    provider_response,
    started_at: row.started_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}
