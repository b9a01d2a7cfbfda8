/** The settings that a version stores. */
import type { Assistant, Fallback, ResultField, VersionedSettings } from 'conversation-analysis-client';
import { VERSIONED_SETTINGS, VOICE_SETTINGS } from '../../../contract/assistants/settings.ts';
import { AUTO_DETECT } from '../../../contract/values/constants.ts';
import { CodeBlock } from '../components/code-block.tsx';
import type { ComparedRow } from '../components/comparison.tsx';
import { Diff } from '../components/diff.tsx';
import { formatExact } from '../format/numbers.ts';
import { modelName, PROVIDER_NAMES } from '../format/providers.ts';
import { wordRole } from '../format/roles.ts';
import { texts } from '../texts/index.ts';
import { printPoints } from './read-fields.ts';

const words = texts.versions;

type Name = keyof VersionedSettings;

/** Returns the settings of assistants of this type. */
export const settingsOf = (type: Assistant['type']) =>
  VERSIONED_SETTINGS.filter((name) => type === 'voice' || !VOICE_SETTINGS.some((each) => each === name));

type Settings = Partial<VersionedSettings>;

/** Returns the rows that compare settings. Of the fields, only those with different definitions have a row of their own. */
export function settingRows(before: Settings, after: Settings, names: readonly Name[]): ComparedRow<string>[] {
  return names.flatMap((name): ComparedRow<string>[] => {
    const title = texts.settingTitles[name];
    const cells = [before, after].map((settings) => printSetting(name, settings) ?? null);
    // Titles of fields belong to no version.
    const isDifferent = name === 'fields' ? keysOf(before) !== keysOf(after) : cells[0] !== cells[1];
    if (name === 'system_prompt') {
      const [one = '', two = ''] = [before.system_prompt, after.system_prompt];
      const cell = isDifferent ? (
        <Diff label={title} before={one} after={two} />
      ) : (
        <CodeBlock text={one} label={title} />
      );
      return [{ key: name, title, cells: [cell], isDifferent }];
    }
    const row = { key: name, title, cells, isDifferent };
    return name === 'fields' ? [row, ...fieldRows(before.fields ?? [], after.fields ?? [])] : [row];
  });
}

const keysOf = ({ fields }: Settings) => fields?.map(({ name }) => name).join();

const PROPERTIES = Object.keys(words.properties) as (keyof typeof words.properties)[];

/** Returns a row for each added, removed or changed field. Of changed fields, it has only the different properties. */
function fieldRows(before: readonly ResultField[], after: readonly ResultField[]): ComparedRow<string>[] {
  return [...new Set([...after, ...before].map(({ name }) => name))].flatMap((name) => {
    const pair = [before, after].map((fields) => fields.find((field) => field.name === name));
    const shown = PROPERTIES.filter((key) => printProperty(pair[0], key) !== printProperty(pair[1], key));
    const cells = pair.map(
      (field) =>
        field && shown.map((key) => `${words.properties[key]}: ${printProperty(field, key) ?? '–'}`).join('\n'),
    );
    return shown.length === 0
      ? []
      : [{ key: `fields.${name}`, title: pair[1]?.title ?? pair[0]?.title ?? name, cells, isDifferent: true }];
  });
}

function printProperty(field: ResultField | undefined, property: (typeof PROPERTIES)[number]): string | undefined {
  if (!field) return undefined;
  if (property === 'type') return texts.assistant.fields.types[field.type];
  if (property === 'evidence') return field.evidence ? texts.fields.yes : texts.fields.no;
  if (property === 'by' || property === 'said_by') return field[property] && wordRole(field[property]);
  if (property === 'of')
    return field.of?.map((part) => `${part.field}: ${printPoints(part.points).join(', ')}`).join('; ');
  return field[property] === undefined ? undefined : [field[property]].flat().join(', ');
}

/** Returns a setting as short text; null or undefined if it is not set. Fields are listed by their titles. */
function printSetting(name: Name, settings: Settings) {
  switch (name) {
    case 'llm_provider':
    case 'stt_provider':
      return settings[name] && PROVIDER_NAMES[settings[name]];
    case 'fields':
      return settings.fields?.map(({ name: key, title = key }) => title).join(', ');
    case 'stt_language':
      return settings.stt_language === AUTO_DETECT ? words.autoDetect : settings.stt_language;
    case 'channel_roles':
      return settings.channel_roles?.map(wordRole).join(', ');
    case 'vocabulary':
      return settings.vocabulary?.join(', ');
    case 'redaction':
      return settings.redaction && printRedaction(settings.redaction);
    case 'fallback':
      return settings.fallback && printFallback(settings.fallback);
    default: {
      const value = settings[name];
      return typeof value === 'number' ? formatExact(value) : value;
    }
  }
}

function printRedaction({ entities, originals, keep_audio }: NonNullable<VersionedSettings['redaction']>): string {
  const { choices, keepAudio } = texts.assistant.redaction;
  const names = entities.map((kind) => texts.redactionKinds[kind]).join(', ');
  return [names, choices[originals], ...(keep_audio ? [keepAudio] : [])].join(' · ');
}

function printFallback({ llm_provider, llm_model, stt_provider, stt_model }: Fallback): string {
  return [modelName(stt_provider, stt_model), modelName(llm_provider, llm_model)].filter(Boolean).join(', ');
}
