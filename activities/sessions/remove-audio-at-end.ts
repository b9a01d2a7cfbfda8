/** Removes a recording as soon as its session has ended, where `AUDIO_RETENTION_DAYS` is 0. */
import type { AssistantType } from '../../contract/constants.ts';
import { removeAudio } from './remove-audio.ts';
import type { RemoveAudioDeps } from './remove-audio.ts';

interface EndingInput {
  session_id: string;
}

/** Sessions of type text have no recording, so nothing is removed for them. */
type TypedInput<I> = I & { type?: AssistantType };

/**
 * Returns an activity that runs `activity`, which may end a session, and then removes its recording. After a crash in
 * between Temporal runs both again. A store that fails delays neither the result nor its webhook: the hourly sweep
 * removes the recording.
 */
export function removesAudioAtEnd<I extends EndingInput, O>(
  deps: RemoveAudioDeps,
  activity: (input: I) => Promise<O>,
): (input: TypedInput<I>) => Promise<O> {
  if (deps.audioRetentionDays > 0) return activity;
  return async (input) => {
    const outcome = await activity(input);
    const { session_id, type } = input;
    if (type === 'voice') {
      await removeAudio(deps, session_id).catch((err: unknown) => {
        deps.log.warn({ err, session_id }, 'a recording is not removed yet');
      });
    }
    return outcome;
  };
}
