import type { Fallback, VersionedSettings } from '../../../../clients/typescript/src/index.ts';
import { texts } from '../../texts/index.ts';

/** Says a setting in a few words, of fields only their names; null or undefined where it is not set. */
export function printSetting(name: keyof VersionedSettings, settings: VersionedSettings) {
  switch (name) {
    case 'llm_provider':
    case 'stt_provider':
      return settings[name] && texts.providers[settings[name]];
    case 'fields':
      return settings.fields?.map((field) => field.name).join(', ');
    case 'channel_roles':
      return settings.channel_roles?.join(', ');
    case 'fallback':
      return settings.fallback && printFallback(settings.fallback);
    default:
      return settings[name];
  }
}

function printFallback({ llm_provider, llm_model, stt_provider, stt_model }: Fallback): string {
  const pairs = [
    [stt_provider, stt_model],
    [llm_provider, llm_model],
  ] as const;
  const said = pairs.map(
    ([provider, model]) => provider && [texts.providers[provider], model].filter(Boolean).join(' · '),
  );
  return said.filter(Boolean).join(', ');
}
