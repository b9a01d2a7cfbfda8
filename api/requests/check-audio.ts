/** Checks an uploaded recording against the limits of the assistant's speech-to-text provider. */
import { sttLimits } from '../../contract/providers.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { ApiError, fileTooLarge, invalid } from '../errors.ts';
import { sanitizeFileName } from './file-name.ts';
import { inspectAudio, NotAudioError } from './inspect-audio.ts';

/** Name of the form's file, for errors. */
const FIELD = 'audio_file';

/** Returns the largest file that the assistant's provider and this service accept, in bytes. */
export function maxBytesFor({ stt_provider, stt_model }: AssistantModel, ours: number): number {
  const theirs = stt_provider && sttLimits(stt_provider, stt_model).max_bytes;
  return Math.min(theirs ?? ours, ours);
}

/** Returns what the session stores about a recording. Throws if the assistant's provider would not accept it. */
export async function checkAudio(
  { path, bytes, sha256 }: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
  { name, assistant, maxBytes }: { name: string; assistant: AssistantModel; maxBytes: number },
): Promise<Omit<StoredAudio, 'key'>> {
  if (bytes === 0) throw invalid({ path: FIELD, message: 'is empty' });
  const limit = maxBytesFor(assistant, maxBytes);
  if (bytes > limit) throw fileTooLarge(FIELD, limit);
  const facts = await inspectAudio(assistant.workspace_id, path).catch((error: unknown) => {
    if (!(error instanceof NotAudioError)) throw error;
    const { message } = error;
    throw new ApiError('unsupported_media_type', `The file ${message}.`, { errors: [{ path: FIELD, message }] });
  });
  const { media_type, duration_s, channels } = facts;
  requireSupported(assistant, facts);
  // The container may not contain the number of channels. The provider checks it then.
  const { channel_roles } = assistant;
  if (channel_roles !== null && channels !== null && channels !== channel_roles.length) {
    const has = channels === 1 ? 'has 1 channel' : `has ${channels} channels`;
    throw invalid({ path: FIELD, message: `${has}; the assistant's channel_roles name ${channel_roles.length}` });
  }
  return { file_name: sanitizeFileName(name, media_type), media_type, bytes, sha256, duration_s };
}

/** Throws if the provider does not accept the media type or the duration. */
function requireSupported(
  { stt_provider, stt_model }: AssistantModel,
  { media_type, duration_s }: { media_type: string; duration_s: number | null },
): void {
  if (stt_provider === null) return;
  const { media_types, max_duration_s } = sttLimits(stt_provider, stt_model);
  if (media_types !== null && !media_types.includes(media_type)) {
    const model = stt_model === null ? stt_provider : `${stt_provider}'s ${stt_model}`;
    throw invalid({ path: FIELD, message: `is ${media_type}; ${model} accepts ${media_types.join(', ')}` });
  }
  if (max_duration_s !== null && duration_s !== null && duration_s > max_duration_s) {
    const message = `is ${Math.ceil(duration_s)} s long; the assistant's speech-to-text model accepts ${max_duration_s} s`;
    throw new ApiError('payload_too_large', `The recording ${message}.`, { errors: [{ path: FIELD, message }] });
  }
}
