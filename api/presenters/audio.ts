import type { SessionAudio } from '../../contract/sessions.ts';
import type { SessionModel } from '../../db/models/session.ts';

const DAY_MS = 24 * 3_600_000;

/** Returns null for a session that never had a recording: a text, or a reanalysis. @param retentionDays after its end. */
export function presentAudio(row: SessionModel, retentionDays: number): SessionAudio | null {
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
