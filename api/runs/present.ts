import { AudioSourceSchema } from '../../contract/sessions/audio-source.ts';
import { SessionDeliverySchema, SessionListItemSchema } from '../../contract/sessions/sessions.ts';
import type { Session, SessionAudio } from '../../contract/sessions/sessions.ts';
import { formatOf } from '../../contract/sessions/turns.ts';
import type { SttProviderName } from '../../contract/values/constants.ts';
import { vocabularyRule } from '../../contract/values/vocabulary.ts';
import { ProviderCallSchema } from '../../contract/sessions/timeline.ts';
import type { AudioSource } from '../../db/models/audio-source.ts';
import type { ProviderCallModel } from '../../db/models/provider-call.ts';
import type { SessionModel } from '../../db/models/session.ts';
import type { DetailedSession } from '../../db/queries/session-details.ts';
import { presentRow } from '../http/handle.ts';

export function presentSession(session: DetailedSession, { retentionDays }: { retentionDays: number }): Session {
  const { conversation, transcript, redaction, raw_response, assistant } = session.row;
  const audio = presentAudio(session.row, retentionDays);
  const roles = session.row.knownRoles;
  const queue = session.row.status === 'queued' ? { ahead: session.ahead ?? 0 } : null;
  const audio_source = session.row.audio_source && presentSource(session.row.audio_source);
  const content = { conversation, transcript, roles, redaction, raw_response, left_out: session.row.left_out };
  const item = presentSessionListItem(session);
  const error = item.error && { ...item.error, provider_message: session.providerMessage ?? null };
  const unheard = ignoresVocabulary(session.row) && { vocabulary: 'not_supported' as const };
  return { ...item, error, queue, ...content, ...unheard, ...formatOf(conversation), assistant, audio, audio_source };
}

/** Returns whether the model that transcribes, or the fallback that did, can't be told the terms of the assistant. */
function ignoresVocabulary({ assistant: { vocabulary, stt_provider, stt_model }, answered_by }: SessionModel): boolean {
  const second = answered_by?.find(({ step }) => step === 'transcription');
  const [provider, model] = second ? [second.provider, second.model] : [stt_provider, stt_model];
  return vocabulary != null && vocabularyRule(provider as SttProviderName, model) === undefined;
}

export const presentSessionListItem = ({ row, cost, delivery }: DetailedSession) =>
  presentRow(SessionListItemSchema, {
    ...row,
    session_id: row.id,
    first_session_id: row.first_session_id ?? undefined,
    occurred_at: row.occurredAt,
    error: row.error,
    assistant: { id: row.assistant_id, name: row.assistant_name, llm_model: row.llm_model },
    total_cost: cost.total_cost,
    cost_known: cost.cost_known,
    cost_breakdown: cost.items,
    waiting_for: row.waitingFor,
    review: row.review ? { ...row.review, reviewed_at: new Date(row.review.reviewed_at).toISOString() } : null,
    delivery: delivery
      ? presentRow(SessionDeliverySchema, { attempt_count: 0, ...delivery, delivery_id: delivery.id })
      : null,
  });

function presentSource(source: AudioSource) {
  const next_attempt_at = source.next_attempt_at === null ? null : new Date(source.next_attempt_at);
  return presentRow(AudioSourceSchema, { ...source, next_attempt_at });
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
    tracks: audio && (audio.tracks ?? 1),
    ...(audio?.channels !== undefined && { channels: audio.channels }),
    expires_at: audio && completed_at ? new Date(completed_at.getTime() + keptMs).toISOString() : null,
  };
}

export const presentProviderCall = (row: ProviderCallModel) =>
  presentRow(ProviderCallSchema, { ...row, call_id: row.callId });
