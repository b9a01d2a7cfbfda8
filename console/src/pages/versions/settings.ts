/** The settings that a version stores. */
import type { Fallback, VersionedSettings } from 'conversation-analysis-client';
import { modelName } from '../../format/providers.ts';
import { texts } from '../../texts/index.ts';

type Name = keyof VersionedSettings;

export const SETTINGS = Object.keys(texts.versions.settings) as Name[];

interface Version {
  settings: VersionedSettings;
}

/** Returns whether two versions differ in a setting. Titles of fields belong to no version. */
export const differ = (one: Version, other: Version, name: Name) => print(one, name) !== print(other, name);

const print = ({ settings }: Version, name: Name) =>
  JSON.stringify(settings[name], (key, value: unknown) => (key === 'title' ? undefined : value));

/** Returns a setting as short text; null or undefined if it is not set. Fields are listed by their titles. */
export function printSetting(name: Name, settings: Partial<VersionedSettings>) {
  switch (name) {
    case 'llm_provider':
    case 'stt_provider':
      return settings[name] && texts.providers[settings[name]];
    case 'fields':
      return settings.fields?.map(({ name: key, title = key }) => title).join(', ');
    case 'channel_roles':
      return settings.channel_roles?.join(', ');
    case 'redaction':
      return settings.redaction && printRedaction(settings.redaction);
    case 'fallback':
      return settings.fallback && printFallback(settings.fallback);
    default:
      return settings[name];
  }
}

function printRedaction({ entities, originals, keep_audio }: NonNullable<VersionedSettings['redaction']>): string {
  const { kinds, choices, keepAudio } = texts.assistant.redaction;
  const names = entities.map((kind) => kinds[kind]).join(', ');
  return [names, choices[originals], ...(keep_audio ? [keepAudio] : [])].join(' · ');
}

function printFallback({ llm_provider, llm_model, stt_provider, stt_model }: Fallback): string {
  return [modelName(stt_provider, stt_model), modelName(llm_provider, llm_model)].filter(Boolean).join(', ');
}
