/** Removes recordings that were kept long enough. */
import type { AssistantType } from '../../contract/values/constants.ts';
import { SessionModel } from '../../db/models/session.ts';
import { hasExpiredAudio, lockExpiredAudio } from '../../db/queries/expired-audio.ts';
import type { AudioStore } from '../../runtime/audio/store.ts';
import type { Log } from '../../runtime/telemetry/log.ts';

export interface RemoveAudioDeps {
  audio: AudioStore;
  /** Days that a recording is kept after the end of its session; 0 removes it at the end. */
  audioRetentionDays: number;
  log: Log;
}

/**
 * Removes the recording of a session. Returns false if it was not kept long enough, if there is none, or if the session
 * was restarted. Locks the session's row and removes the file first, so after a crash the next call finishes the removal.
 */
export async function removeAudio(
  { audio, audioRetentionDays }: Pick<RemoveAudioDeps, 'audio' | 'audioRetentionDays'>,
  id: string,
): Promise<boolean> {
  return SessionModel.transaction(async (trx) => {
    const session = await lockExpiredAudio(id, audioRetentionDays, trx);
    if (!session?.audio) return false;
    await audio.remove(session.audio.key);
    await SessionModel.query(trx).findById(id).patch({ audio: null });
    return true;
  });
}

/**
 * Returns an activity that runs `activity`, which may end a session, and then removes the recording if it is not kept. Both are
 * repeated after a crash. If the removal fails, the hourly sweep repeats it; the result and its webhook do not wait.
 */
export function removesAudioAtEnd<I extends { session_id: string }, O>(
  deps: RemoveAudioDeps,
  activity: (input: I) => Promise<O>,
): (input: I & { type?: AssistantType }) => Promise<O> {
  return async (input) => {
    const outcome = await activity(input);
    const { session_id, type } = input;
    if (type === 'voice') {
      try {
        // Most recordings are kept, so most sessions need no transaction here.
        if (await hasExpiredAudio(session_id, deps.audioRetentionDays)) await removeAudio(deps, session_id);
      } catch (err) {
        deps.log.warn({ err, session_id }, 'could not remove a recording; the hourly sweep retries');
      }
    }
    return outcome;
  };
}
