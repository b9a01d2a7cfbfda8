/** Judges a recording that has arrived: may it be stored, and what is known of it? */
import { sttLimits } from '../../contract/providers.ts';
import type { AssistantModel } from '../../db/models/assistant.ts';
import type { StoredAudio } from '../../db/models/session.ts';
import type { StagedAudio } from '../../runtime/audio/store.ts';
import { ApiError, fileTooLarge, invalid } from '../errors.ts';
import { sanitizeFileName } from './file-name.ts';
import type { AudioFacts } from './inspect-audio.ts';
import { NotAudioError } from './not-audio-error.ts';

/** Name of the part, as errors say it. */
const FIELD = 'audio_file';

/** Returns the size of the largest file that the assistant's vendor and this service take, in bytes. */
export function maxBytesFor({ stt_provider, stt_model }: AssistantModel, ours: number): number {
  const theirs = stt_provider && sttLimits(stt_provider, stt_model).max_bytes;
  return Math.min(theirs ?? ours, ours);
}

/** Returns what the session keeps of a recording that its assistant can take; throws before any vendor is asked. */
export async function checkAudio(
  staged: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
  { name, assistant, maxBytes }: { name: string; assistant: AssistantModel; maxBytes: number },
): Promise<Omit<StoredAudio, 'key'>> {
  const { path, bytes, sha256 } = staged;
  if (bytes === 0) throw invalid({ path: FIELD, message: 'is empty' });
  const bound = maxBytesFor(assistant, maxBytes);
  if (bytes > bound) throw fileTooLarge(FIELD, bound);
  // With the first recording: the parsers of all its formats would be a twentieth of the API's start.
  const { inspectAudio } = await import('./inspect-audio.ts');
  const { media_type, duration_s, channels } = await inspectAudio(assistant.user_id, path).catch(asUnsupported);
  requireTakenDuration(assistant, duration_s);
  requireTakenChannels(assistant, channels);
  return { file_name: sanitizeFileName(name, media_type), media_type, bytes, sha256, duration_s };
}

function requireTakenDuration({ stt_provider, stt_model }: AssistantModel, duration_s: number | null): void {
  const max = stt_provider && sttLimits(stt_provider, stt_model).max_duration_s;
  if (max === null || duration_s === null || duration_s <= max) return;
  const message = `is ${Math.ceil(duration_s)} s long; the assistant's speech-to-text model takes ${max} s`;
  throw new ApiError('payload_too_large', `The recording ${message}.`, { errors: [{ path: FIELD, message }] });
}

/** One that does not say how many channels it has may have the right ones: then the vendor tells. */
function requireTakenChannels({ channel_roles }: AssistantModel, channels: number | null): void {
  if (channel_roles === null || channels === null || channels === channel_roles.length) return;
  const has = channels === 1 ? 'has 1 channel' : `has ${channels} channels`;
  throw invalid({ path: FIELD, message: `${has}; the assistant's channel_roles name ${channel_roles.length}` });
}

function asUnsupported(error: unknown): AudioFacts {
  if (!(error instanceof NotAudioError)) throw error;
  const { message } = error;
  throw new ApiError('unsupported_media_type', `The file ${message}.`, { errors: [{ path: FIELD, message }] });
}
