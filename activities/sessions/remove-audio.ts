import { MIN_AUDIO_DAYS_FOR_RETRY, SessionModel } from '../../db/models/session.ts';
import type { AudioLimits } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface RemoveAudioDeps {
  audio: AudioStore;
  /** Days that a recording is kept after the end of its session; 0 removes it at the end. */
  audioRetentionDays: number;
  log: Log;
}

const DAY_MS = 24 * 3_600_000;

/** Returns the moments before which a session must have ended for its recording to be removed. */
export function audioLimits({ audioRetentionDays }: Pick<RemoveAudioDeps, 'audioRetentionDays'>): AudioLimits {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  return {
    endedBefore: daysAgo(audioRetentionDays),
    failedBefore: daysAgo(Math.max(audioRetentionDays, MIN_AUDIO_DAYS_FOR_RETRY)),
  };
}

/**
 * Removes the recording of a session if it was kept long enough. Returns false if it was not, if there is none, or if
 * the session began anew. The session's row is locked meanwhile. The file is removed first: a crash leaves a row that
 * names it, and the next call ends the work.
 */
export async function removeAudio(
  deps: Pick<RemoveAudioDeps, 'audio' | 'audioRetentionDays'>,
  id: string,
): Promise<boolean> {
  return SessionModel.transaction(async (trx) => {
    const session = await SessionModel.lockExpiredAudio(id, audioLimits(deps), trx);
    if (!session?.audio) return false;
    await deps.audio.remove(session.audio.key);
    await SessionModel.query(trx).findById(id).patch({ audio: null });
    return true;
  });
}
