/**
 * The settings of an assistant: specification §2.3. Schemas, defaults, checks, the console's form and its comparisons follow from
 * this table. It imports no library, because the console loads it. How to add a setting: CONTRIBUTING.md.
 */
import { OUTAGE_CHOICES, REASONING_EFFORTS, type AssistantType } from '../values/constants.ts';
import { LIMITS } from '../values/limits.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../values/providers.ts';

interface Common {
  /** Requests must have it. */
  isRequired?: true;
  /** Only voice assistants have it. */
  for?: AssistantType;
  /** A change creates a version. Every session keeps the value it was created with. */
  isVersioned?: true;
  /** A reanalysis may replace it. */
  isOverridable?: true;
  /** The part of the console's form that shows it, among others of its kind. */
  group?: 'more';
  /** Description in requests. */
  input?: string;
  /** Description in responses. */
  output?: string;
  examples?: readonly (string | number)[];
}

/** A setting without a default is null if it is not set. Settings of the kind `own` have a schema and an input of their own. */
export type Setting = Common &
  (
    | { kind: 'text'; min?: number; max: number }
    | { kind: 'number'; isInteger?: true; min: number; max: number; default?: number }
    | { kind: 'choice'; options: readonly [string, ...string[]]; default?: string }
    | { kind: 'boolean'; default: boolean }
    | { kind: 'model'; default?: string }
    | { kind: 'own' }
  );

const RETENTION = 'Days after the end of a session until it is deleted. null: the setting of the installation.';
const DEFAULT_MODEL = "Default: the provider's default model.";

/** What an analysis asks the model, and may be replaced for one session. */
const ANALYSIS = { isVersioned: true, isOverridable: true } as const;

export const SETTINGS = {
  name: { kind: 'text', min: 1, max: LIMITS.name, isRequired: true, examples: ['Support call review'] },
  description: { kind: 'text', max: 2_000 },
  stt_provider: {
    kind: 'choice',
    options: STT_PROVIDERS,
    for: 'voice',
    isVersioned: true,
    input: 'Voice assistants only. Default: `whisper`.',
  },
  stt_model: { kind: 'model', for: 'voice', isVersioned: true, input: `Voice assistants only. ${DEFAULT_MODEL}` },
  stt_language: { kind: 'own', isVersioned: true },
  channel_roles: { kind: 'own', for: 'voice', isVersioned: true },
  vocabulary: { kind: 'own', for: 'voice', isVersioned: true },
  channels_required: {
    kind: 'boolean',
    default: false,
    input:
      'true: refuses recordings with another number of channels than `channel_roles` name. false (default): the speakers of such a recording ' +
      'are separated by voice, and its session has `audio.channels`.',
  },
  llm_provider: { kind: 'choice', options: LLM_PROVIDERS, isRequired: true, ...ANALYSIS },
  llm_model: { kind: 'model', default: '', ...ANALYSIS, input: DEFAULT_MODEL },
  system_prompt: {
    kind: 'text',
    min: 1,
    max: 100_000,
    isRequired: true,
    ...ANALYSIS,
    input: 'Instructions for the language model.',
    examples: ['Summarize the call and say whether the problem was solved.'],
  },
  temperature: { kind: 'number', group: 'more', min: 0, max: 1, default: 0.7, ...ANALYSIS, input: 'Default: 0.7.' },
  reasoning_effort: {
    kind: 'choice',
    group: 'more',
    options: REASONING_EFFORTS,
    ...ANALYSIS,
    input: 'Default: that of the model, or `none` where a temperature requires it. Left out if the model refuses it.',
    output: 'null: the default.',
  },
  max_output_tokens: {
    kind: 'number',
    group: 'more',
    isInteger: true,
    min: 512,
    max: 200_000,
    ...ANALYSIS,
    input:
      'Limit of the output of one model call, reasoning included. Default: 8,192, once doubled if that is too little.',
    output: 'null: the default.',
  },
  fallback: { kind: 'own', isVersioned: true },
  economy: {
    kind: 'boolean',
    default: false,
    input:
      "true: sessions that no client waits for use the provider's tier at half price (`service_tier: flex` of OpenAI and Gemini), for up to an " +
      'hour, then the standard price. Default: false.',
  },
  fields: { kind: 'own', ...ANALYSIS },
  redaction: { kind: 'own', isVersioned: true },
  on_provider_outage: {
    kind: 'choice',
    options: OUTAGE_CHOICES,
    default: 'fail',
    input:
      'What happens to a session if its provider is still unavailable after the last retry. `fail` (default): the session fails. `wait`: it waits for up to a day.',
  },
  webhook_url: { kind: 'own' },
  webhook_secret: { kind: 'own' },
  webhook_auth: { kind: 'own' },
  webhook_events: { kind: 'own' },
  alerts: { kind: 'own' },
  follow_ups: { kind: 'own' },
  retention_days: {
    kind: 'number',
    group: 'more',
    isInteger: true,
    min: 1,
    max: 36_500,
    input: RETENTION,
    output: RETENTION,
    examples: [90],
  },
} as const satisfies Record<string, Setting>;

export type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** The names of the settings with these properties. */
export type NamesOf<P> = { [N in SettingName]: Settings[N] extends P ? N : never }[SettingName];

const namesOf = <P>(property: keyof P & keyof Common) =>
  (Object.keys(SETTINGS) as SettingName[]).filter((name) => (SETTINGS[name] as Common)[property]) as unknown as [
    NamesOf<P>,
    ...NamesOf<P>[],
  ];

export const VERSIONED_SETTINGS = namesOf<{ isVersioned: true }>('isVersioned');
/** Settings of the analysis. Those of the transcription do not affect a reanalysis and may be older. */
export const ANALYSIS_SETTINGS = namesOf<{ isOverridable: true }>('isOverridable');
export const VOICE_SETTINGS = namesOf<{ for: 'voice' }>('for');

/** Settings that `null` resets. */
export const isOptional = (name: string): boolean =>
  name in SETTINGS && (SETTINGS[name as SettingName] as Common).isRequired === undefined;
