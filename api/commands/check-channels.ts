import type { FieldError } from '../../contract/errors.ts';
import { STT_PROVIDERS } from '../../contract/constants.ts';
import type { SttProviderName } from '../../contract/constants.ts';
import { STT_PROVIDER_FACTS } from '../../contract/providers.ts';
import type { SettingsColumns } from './check-assistant.ts';

/** Returns an error for each vendor of the assistant that can't transcribe so many channels apart. */
export function findDeafVendors({
  channel_roles,
  stt_provider,
  fallback,
}: Pick<SettingsColumns, 'channel_roles' | 'stt_provider' | 'fallback'>): FieldError[] {
  if (channel_roles === null) return [];
  const channels = channel_roles.length;
  const vendors = [
    { path: 'channel_roles', provider: stt_provider },
    { path: 'fallback.stt_provider', provider: fallback?.stt_provider ?? null },
  ];
  return vendors.flatMap(({ path, provider }) => {
    const most = provider === null ? channels : STT_PROVIDER_FACTS[provider].max_channels;
    return provider === null || channels <= most ? [] : [{ path, message: reasonOf(provider, channels) }];
  });
}

function reasonOf(provider: SttProviderName, channels: number): string {
  const most = STT_PROVIDER_FACTS[provider].max_channels;
  if (most > 1) return `${provider} transcribes ${most} channels at most`;
  const able = STT_PROVIDERS.filter((name) => STT_PROVIDER_FACTS[name].max_channels >= channels);
  return `${provider} has no multichannel mode; ${able.join(', ')} has`;
}
