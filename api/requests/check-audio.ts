/** Checks an uploaded recording, and reports its faults as errors of the form. */
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import * as recordings from '../../runtime/audio/check-audio.ts';
import { inspectAudio } from '../../runtime/audio/inspect-audio.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { UnfitAudioError } from '../../runtime/audio/unfit-audio.ts';
import { type ApiError, invalid, refusal } from '../errors.ts';

/** Name of the form's file, for errors. */
const FIELD = 'audio_file';

/** Returns what the session stores about a recording. Throws if the assistant's provider would not accept it. */
export async function checkAudio(
  staged: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
  { name, assistant, maxBytes, owner }: { name: string; assistant: AssistantModel; maxBytes: number; owner: string },
): Promise<Omit<StoredAudio, 'key'>> {
  const inspect = (path: string) => inspectAudio(path, owner);
  try {
    return await recordings.checkAudio(staged, { name, settings: assistant, maxBytes, inspect });
  } catch (error) {
    throw error instanceof UnfitAudioError ? refusalOf(error) : error;
  }
}

function refusalOf({ reason, message, said }: UnfitAudioError): ApiError {
  const errors = [{ path: FIELD, ...said }];
  if (reason === 'not_audio') return refusal('unsupported_media_type:file', { problem: message }, { errors });
  if (reason === 'too_large') return refusal('payload_too_large:file', { problem: message }, { errors });
  if (reason === 'too_long') return refusal('payload_too_large:recording', { problem: message }, { errors });
  return invalid(...errors);
}
