/** Checks a recording against the limits of the assistant's speech-to-text provider. */
import type { SttProviderName } from '../../contract/values/constants.ts';
import { sttLimits } from '../../contract/values/providers.ts';
import { sanitizeFileName } from './file-name.ts';
import type { AudioFacts } from './read-facts.ts';
import type { StagedAudio } from './store.ts';
import { UnfitAudioError } from './unfit-audio.ts';

/** The settings of an assistant, or of a session, that recordings must fit. */
interface SpeechSettings {
  stt_provider: SttProviderName | null;
  stt_model: string | null;
  channel_roles?: readonly string[] | null | undefined;
}

/** Returns the largest file that the assistant's provider and this service accept, in bytes. */
export function maxBytesFor({ stt_provider, stt_model }: SpeechSettings, ours: number): number {
  const theirs = stt_provider && sttLimits(stt_provider, stt_model).max_bytes;
  return Math.min(theirs ?? ours, ours);
}

interface AudioChecks {
  name: string;
  settings: SpeechSettings;
  maxBytes: number;
  inspect: (path: string) => Promise<AudioFacts>;
}

/** Returns what the session stores about a recording. Throws `UnfitAudioError` if the assistant's provider would not accept it. */
export async function checkAudio(
  { path, bytes, sha256 }: Pick<StagedAudio, 'path' | 'bytes' | 'sha256'>,
  { name, settings, maxBytes, inspect }: AudioChecks,
) {
  if (bytes === 0) throw new UnfitAudioError('empty', 'empty:file');
  const limit = maxBytesFor(settings, maxBytes);
  if (bytes > limit) throw new UnfitAudioError('too_large', 'too_large', { max: limit });
  const facts = await inspect(path);
  const { media_type, duration_s, channels, audio_tracks: tracks } = facts;
  requireSupported(settings, facts);
  // The container may not contain the number of channels. The provider checks it then.
  const { channel_roles } = settings;
  if (channel_roles && channels !== null && channels !== channel_roles.length) {
    const has = channels === 1 ? 'has 1 channel' : `has ${channels} channels`;
    throw new UnfitAudioError('unsupported', 'audio_channels', { has, count: channel_roles.length });
  }
  const described = { file_name: sanitizeFileName(name, media_type), media_type, bytes, sha256, duration_s };
  return { ...described, ...(tracks > 1 && { tracks }) };
}

/** Throws if the provider does not accept the media type or the duration. */
function requireSupported({ stt_provider, stt_model }: SpeechSettings, { media_type, duration_s }: AudioFacts): void {
  if (stt_provider === null) return;
  const { media_types, max_duration_s } = sttLimits(stt_provider, stt_model);
  if (media_types !== null && !media_types.includes(media_type)) {
    const model = stt_model === null ? stt_provider : `${stt_provider}'s ${stt_model}`;
    throw new UnfitAudioError('unsupported', 'audio_type', { type: media_type, model, types: media_types.join(', ') });
  }
  if (max_duration_s !== null && duration_s !== null && duration_s > max_duration_s) {
    throw new UnfitAudioError('too_long', 'audio_length', { length: Math.ceil(duration_s), max: max_duration_s });
  }
}
