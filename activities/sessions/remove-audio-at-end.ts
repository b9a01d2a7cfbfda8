/** `AUDIO_RETENTION_DAYS=0`: a recording goes as soon as its session has ended. */
import type { AssistantType } from '../../contract/constants.ts';
import { removeAudio } from './remove-audio.ts';
import type { RemoveAudioDeps } from './remove-audio.ts';

interface EndingInput {
  session_id: string;
}

/** Sessions of type text have no recording, and are never asked about it. */
type TypedInput<I> = I & { type?: AssistantType };

/**
 * An activity that may end a session, and then the removal of its recording. A crash in between has Temporal run both
 * again. A store that does not work holds up nothing, neither the result nor its webhook: the sweep comes every hour.
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
