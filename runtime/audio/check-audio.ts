/** Checks a recording against the limits of the assistant's speech-to-text provider. */
import type { SttProviderName } from '../../contract/values/constants.ts';
import { STT_PROVIDER_FACTS, STT_PROVIDERS, sttLimits } from '../../contract/values/providers.ts';
import { sanitizeFileName } from './file-name.ts';
import type { AudioFacts } from './read-facts.ts';
import type { StagedAudio } from './store.ts';
import { UnfitAudioError } from './unfit-audio.ts';

/** The settings of an assistant, or of a session, that recordings must fit. */
interface SpeechSettings {
  stt_provider: SttProviderName | null;
  stt_model: string | null;
  channel_roles?: readonly string[] | null | undefined;
  /** Refuses recordings with another number of channels. */
  channels_required?: boolean;
}

/** Returns the largest file that the assistant's provider and this service accept, with the parameters of the error. */
export function sizeLimitOf({ stt_provider, stt_model }: SpeechSettings, ours: number) {
  const theirs = stt_provider === null ? null : sttLimits(stt_provider, stt_model).max_bytes;
  if (stt_provider === null || theirs === null || ours <= theirs)
    return { max: ours, mb: inMb(ours), whose: 'this server (MAX_AUDIO_MIB)' };
  const larger = STT_PROVIDERS.map((name) => ({
    ...STT_PROVIDER_FACTS[name],
    max: sttLimits(name, null).max_bytes ?? 0,
  }));
  const others = larger
    .filter(({ max }) => max > theirs)
    .map(({ title, max }) => `${title} (${inMb(Math.min(max, ours))} MB)`);
  const whose = STT_PROVIDER_FACTS[stt_provider].title;
  return { max: theirs, mb: inMb(theirs), whose, ...(others.length > 0 && { others: others.join(' or ') }) };
}

const inMb = (bytes: number) => Math.round(bytes / (bytes % 1_000_000 === 0 ? 1_000_000 : 1_048_576));

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
  const limit = sizeLimitOf(settings, maxBytes);
  if (bytes > limit.max) throw new UnfitAudioError('too_large', 'too_large:audio', limit);
  const facts = await inspect(path);
  const { media_type, duration_s, channels, audio_tracks: tracks } = facts;
  requireSupported(settings, facts);
  // The container may not contain the number of channels. The provider checks it then.
  const { channel_roles, channels_required: isRequired = false } = settings;
  const isOther = channel_roles != null && channels !== null && channels !== channel_roles.length;
  if (isOther && isRequired) {
    const has = channels === 1 ? 'has 1 channel' : `has ${channels} channels`;
    throw new UnfitAudioError('unsupported', 'audio_channels', { has, count: channel_roles.length });
  }
  const described = { file_name: sanitizeFileName(name, media_type), media_type, bytes, sha256, duration_s };
  return { ...described, ...(tracks > 1 && { tracks }), ...(isOther && { channels }) };
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
