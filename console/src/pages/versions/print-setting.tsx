import type { ReactNode } from 'react';
import type { Fallback, VersionedSettings } from '../../../../clients/typescript/src/index.ts';
import type { ProviderName } from '../../../../contract/constants.ts';
import { Nothing } from '../../components/values.tsx';
import { texts } from '../../texts/index.ts';

/** Says a setting in a few words; of fields only their names. */
export function printSetting(name: keyof VersionedSettings, settings: VersionedSettings): ReactNode {
  const { [name]: value, fallback, fields, channel_roles: roles } = settings;
  if (value == null) return <Nothing />;
  if (name === 'llm_provider' || name === 'stt_provider') return texts.providers[value as ProviderName];
  if (name === 'fields') return fields?.map((field) => field.name).join(', ');
  if (name === 'channel_roles') return roles?.join(', ');
  if (name === 'fallback' && fallback) return printFallback(fallback);
  return String(value);
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
