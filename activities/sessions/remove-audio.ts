import { MIN_AUDIO_DAYS_FOR_RETRY, SessionModel } from '../../db/models/session.ts';
import type { AudioLimits } from '../../db/models/session.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface RemoveAudioDeps {
  audio: AudioStore;
  /** Days after the end of a session; 0: at its end. */
  audioRetentionDays: number;
  log: Log;
}

const DAY_MS = 24 * 3_600_000;

/** Returns the moments before which a session must have ended for its recording to go. */
export function audioLimits({ audioRetentionDays }: Pick<RemoveAudioDeps, 'audioRetentionDays'>): AudioLimits {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  return {
    endedBefore: daysAgo(audioRetentionDays),
    failedBefore: daysAgo(Math.max(audioRetentionDays, MIN_AUDIO_DAYS_FOR_RETRY)),
  };
}

/**
 * Removes the recording of a session if its time is over. Returns false if it is not, if there is none, or the session began
 * anew: its row is locked meanwhile. The file goes first, so that a crash leaves a row that names it and the next call
 * ends the work.
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
