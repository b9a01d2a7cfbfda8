/** Inspects recordings in other processes, because a hostile file can take any time and memory of the parsers. */
import { createTaskPool, TaskError } from '../process/task-pool.ts';
import type { AudioFacts, Inspected } from './read-facts.ts';
import { UnfitAudioError } from './unfit-audio.ts';

/** One owner's recordings wait for each other, so others find a free process. */
const pool = createTaskPool(new URL('read-facts.ts', import.meta.url), {
  processes: 2,
  perOwner: 1,
  maxHeapMb: 96,
  pauseMs: 0,
});

/**
 * Returns the type, duration and channels of a recording. Throws `UnfitAudioError`. If the file takes too much time or memory, the
 * duration is unknown. @param owner of the workspace.
 */
export async function inspectAudio(path: string, owner: string): Promise<AudioFacts> {
  try {
    const inspected = (await pool.run(path, { owner, cpuMs: 3_000 })) as Inspected;
    if ('facts' in inspected) return inspected.facts;
    if ('failed' in inspected) throw new Error(`a recording could not be read: ${inspected.failed}`);
    throw new UnfitAudioError(inspected.unfit.reason, ...inspected.unfit.fault);
  } catch (error) {
    if (!(error instanceof TaskError) || !error.hasBegun) throw error;
    if (error.progress !== undefined) return error.progress as AudioFacts;
    throw new UnfitAudioError('not_audio', 'damaged:endless');
  }
}
