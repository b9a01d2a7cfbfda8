/**
 * The facts about each provider: names, models, settings, prices, limits, stand-ins. Imports nothing. How to add a provider:
 * CONTRIBUTING.md.
 */

interface ProviderFacts {
  title: string;
  /** The settings are `<prefix>_API_KEY` and `<prefix>_BASE_URL`. */
  variable_prefix: string;
  /** Model of an assistant without a model; null: the provider has no selectable models, or `local`, whose models are settings. */
  default_model: string | null;
  /** Name in the price library; undefined: not in the library. */
  price_library_name?: string;
  /** Path of its API below the URL of the stand-ins; undefined: no stand-in replaces it. */
  stand_in_path?: string;
}

interface LlmProviderFacts extends ProviderFacts {
  /** The provider sells answers at half price that may come late. */
  has_flex?: true;
  /** The first matching rule counts. Without one, the temperature is sent, and omitted if the model refuses it. */
  capabilities: readonly (ModelCapability & { model: RegExp })[];
}

/** Sources: docs/decisions.md, "Temperature". */
export interface ModelCapability {
  temperature: 'send' | 'omit';
  /** Set if the model accepts a temperature only without reasoning. */
  reasoning_effort?: 'none';
  /**
   * Set if the provider caches prompts, and charges for it, unless instructed otherwise. Conversations differ from the start, so a
   * cached prompt would never be read.
   */
  prompt_cache?: 'explicit';
  /** Values of the reasoning effort that the model accepts; undefined: unknown. */
  efforts?: readonly ReasoningEffort[];
  /** Most tokens that the model generates; undefined: unknown. */
  max_output_tokens?: number;
  /** Set if the model accepts neither instructions of their own nor a JSON format. */
  is_plain?: true;
}

interface SttProviderFacts extends ProviderFacts {
  /** The provider whose key is used if this one has none. The key is sent only to that provider. */
  key_shared_by?: LlmProviderName;
  /** Maximum number of channels that are transcribed separately; 1: not supported. */
  max_channels: number;
  /** The provider transcribes in jobs, which outlive the worker that submitted them. */
  has_jobs?: true;
  /** ISO 639-1 codes of the supported languages; undefined: not documented. */
  languages?: readonly string[];
  /** The first matching rule counts. Without one, the limits are unknown. */
  limits: readonly (Partial<SttLimits> & { model: RegExp })[];
}

/** Limits of a recording; null: unknown. */
interface SttLimits {
  max_bytes: number | null;
  max_duration_s: number | null;
  media_types: readonly string[] | null;
}

type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

const GEMINI_EFFORTS = ['minimal', 'low', 'medium', 'high'] as const;

/** Default models are the providers' current small models: docs/models.md. */
export const LLM_PROVIDER_FACTS = {
  openai: {
    title: 'OpenAI',
    variable_prefix: 'OPENAI',
    default_model: 'gpt-6-luna',
    price_library_name: 'openai',
    stand_in_path: '/openai/v1',
    has_flex: true,
    capabilities: [
      // They accept one reasoning effort, `medium`, which is their default.
      { model: /^gpt-5\.\d-chat(-|$)/, temperature: 'omit', efforts: ['medium'] },
      {
        model: /^gpt-(6-luna|6-sol|6\.1-terra|5\.6)(-|$)/,
        temperature: 'send',
        reasoning_effort: 'none',
        prompt_cache: 'explicit',
      },
      { model: /^gpt-5\.[1-5](-|$)/, temperature: 'send', reasoning_effort: 'none' },
      {
        model: /^gpt-(5\.[6-9]|[6-9])/,
        temperature: 'omit',
        prompt_cache: 'explicit',
        efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
      },
      { model: /^(gpt-5|o\d)/, temperature: 'omit' },
      { model: /^gpt-4o(-|$)/, temperature: 'send', efforts: [], max_output_tokens: 16_384 },
      { model: /^gpt-4\.1(-|$)/, temperature: 'send', efforts: [], max_output_tokens: 32_768 },
    ],
  },
  anthropic: {
    title: 'Anthropic',
    variable_prefix: 'ANTHROPIC',
    default_model: 'claude-haiku-5-5',
    price_library_name: 'anthropic',
    stand_in_path: '/anthropic',
    capabilities: [
      { model: /^claude-3/, temperature: 'omit', efforts: [] },
      { model: /./, temperature: 'omit', efforts: ['low', 'medium', 'high', 'xhigh', 'max'] },
    ],
  },
  gemini: {
    title: 'Gemini',
    variable_prefix: 'GEMINI',
    default_model: 'gemini-3.8-flash',
    price_library_name: 'google',
    stand_in_path: '/gemini',
    has_flex: true,
    capabilities: [
      { model: /^(models\/)?gemma-/, temperature: 'send', is_plain: true, efforts: [] },
      { model: /^gemini-(3\.5-flash-lite|3\.[6-9]|[4-9])/, temperature: 'omit', efforts: GEMINI_EFFORTS },
      { model: /^gemini-3/, temperature: 'send', efforts: GEMINI_EFFORTS },
    ],
  },
  grok: {
    title: 'Grok',
    variable_prefix: 'XAI',
    default_model: 'grok-4.3',
    price_library_name: 'x-ai',
    stand_in_path: '/xai/v1',
    capabilities: [
      {
        model: /^grok-4\.3(-|$)/,
        temperature: 'send',
        reasoning_effort: 'none',
        efforts: ['none', 'low', 'medium', 'high'],
      },
      { model: /^grok-4\.[56](-|$)/, temperature: 'send', efforts: ['low', 'medium', 'high'] },
      { model: /^grok-4(-|$)/, temperature: 'send', efforts: [] },
    ],
  },
  /** The operator's own server. It is usable without a key, also on loopback in production, and costs nothing. */
  local: { title: 'Local server', variable_prefix: 'LOCAL_LLM', default_model: null, capabilities: [] },
} as const satisfies Record<string, LlmProviderFacts>;

/** OpenAI's limit includes the multipart body around the file. */
const MULTIPART_BYTES = 4_096;
const OPENAI_MAX_BYTES = 25 * 1_024 * 1_024 - MULTIPART_BYTES;

/** All types that this service accepts, except raw AAC. */
const OPENAI_MEDIA_TYPES = [
  'audio/wav',
  'audio/mpeg',
  'audio/mp4',
  'audio/flac',
  'audio/ogg',
  'audio/webm',
  'video/mp4',
  'video/webm',
];

/** Sources of the limits: docs/decisions.md, "Audio limits". */
export const STT_PROVIDER_FACTS = {
  elevenlabs: {
    title: 'ElevenLabs',
    variable_prefix: 'ELEVENLABS',
    default_model: 'scribe_v2',
    stand_in_path: '/elevenlabs',
    max_channels: 5,
    limits: [{ model: /./, max_bytes: 5_000_000_000, max_duration_s: 36_000 }],
  },
  whisper: {
    title: 'Whisper',
    variable_prefix: 'WHISPER',
    key_shared_by: 'openai',
    default_model: 'whisper-1',
    price_library_name: 'openai',
    stand_in_path: '/whisper/v1',
    max_channels: 1,
    limits: [
      { model: /^gpt-4o-/, max_bytes: OPENAI_MAX_BYTES, max_duration_s: 1_400, media_types: OPENAI_MEDIA_TYPES },
      { model: /^(whisper-1$|gpt-)/, max_bytes: OPENAI_MAX_BYTES, media_types: OPENAI_MEDIA_TYPES },
    ],
  },
  aisha: {
    title: 'Aisha',
    variable_prefix: 'AISHA',
    default_model: null,
    stand_in_path: '/aisha',
    max_channels: 1,
    has_jobs: true,
    languages: ['uz', 'ru', 'en'],
    limits: [{ model: /^$/, media_types: ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/mp4'] }],
  },
  local: { title: 'Local server', variable_prefix: 'LOCAL_STT', default_model: null, max_channels: 1, limits: [] },
} as const satisfies Record<string, SttProviderFacts>;

type LlmProviderName = keyof typeof LLM_PROVIDER_FACTS;
type SttProviderName = keyof typeof STT_PROVIDER_FACTS;
type ProviderName = LlmProviderName | SttProviderName;

export const STT_PROVIDERS = Object.keys(STT_PROVIDER_FACTS) as [SttProviderName, ...SttProviderName[]];
export const LLM_PROVIDERS = Object.keys(LLM_PROVIDER_FACTS) as [LlmProviderName, ...LlmProviderName[]];
/** Every name once: `local` is both. */
export const PROVIDERS = [...new Set<ProviderName>([...LLM_PROVIDERS, ...STT_PROVIDERS])] as [
  ProviderName,
  ...ProviderName[],
];

/** The facts that do not depend on the step. */
export const PROVIDER_FACTS: Readonly<Record<ProviderName, Pick<ProviderFacts, 'title' | 'price_library_name'>>> = {
  ...LLM_PROVIDER_FACTS,
  ...STT_PROVIDER_FACTS,
};

/** A provider of one step. `local` is a provider of both, with different settings. */
export interface StepProvider extends ProviderFacts, Pick<SttProviderFacts, 'key_shared_by' | 'has_jobs'> {
  step: 'analysis' | 'transcription';
  name: ProviderName;
  variable_prefix:
    | (typeof LLM_PROVIDER_FACTS)[LlmProviderName]['variable_prefix']
    | (typeof STT_PROVIDER_FACTS)[SttProviderName]['variable_prefix'];
}

export const STEP_PROVIDERS: readonly StepProvider[] = [
  ...rowsOf('analysis', LLM_PROVIDER_FACTS),
  ...rowsOf('transcription', STT_PROVIDER_FACTS),
];

function rowsOf(
  step: StepProvider['step'],
  facts: Partial<Record<ProviderName, Omit<StepProvider, 'step' | 'name'>>>,
): StepProvider[] {
  return Object.entries(facts).map(([name, of]) => ({ ...of, step, name: name as ProviderName }));
}

export const stepProvider = (step: StepProvider['step'], name: ProviderName) =>
  STEP_PROVIDERS.find((each) => each.step === step && each.name === name) as StepProvider;

/** Returns the name of the setting that holds the provider's key. */
export const keyVariable = ({ variable_prefix }: Pick<StepProvider, 'variable_prefix'>) =>
  `${variable_prefix}_API_KEY` as const;

/** Returns the name of the setting that holds the URL of the provider's API. */
export const urlVariable = ({ variable_prefix }: Pick<StepProvider, 'variable_prefix'>) =>
  `${variable_prefix}_BASE_URL` as const;

/** When providers end their models, as far as they have published it. Sources: docs/models.md. */
const RETIREMENTS: readonly { provider: ProviderName; model: RegExp; on: string }[] = [
  { provider: 'anthropic', model: /^claude-sonnet-4-5/, on: '2026-11-30' },
  { provider: 'gemini', model: /^gemini-2\.5-(flash|pro)/, on: '2026-12-01' },
  { provider: 'openai', model: /^(gpt-5|gpt-5-mini|gpt-5-nano|o3)(-\d{4}|$)/, on: '2026-12-11' },
  { provider: 'openai', model: /^gpt-4(o|\.1)(-mini)?(-\d{4}|$)/, on: '2027-01-14' },
  { provider: 'whisper', model: /^(whisper-1$|gpt-4o-)/, on: '2027-02-26' },
];

/** Returns the day on which the provider ends a model, such as `2027-02-26`; null: unknown. */
export const retirementOf = (provider: ProviderName, model: string | null): string | null =>
  RETIREMENTS.find((each) => each.provider === provider && each.model.test(model ?? ''))?.on ?? null;

export const hasFlex = (provider: LlmProviderName): boolean => 'has_flex' in LLM_PROVIDER_FACTS[provider];

export function capabilityOf(provider: LlmProviderName, model: string): ModelCapability {
  const { capabilities }: LlmProviderFacts = LLM_PROVIDER_FACTS[provider];
  return capabilities.find((rule) => rule.model.test(model)) ?? { temperature: 'send' };
}

/**
 * Returns the limits and media types of a model, so that a recording is refused before anything is paid. Unknown models have
 * no limits: they may run on a compatible server.
 */
export function sttLimits(provider: SttProviderName, model: string | null): SttLimits {
  const { default_model, limits }: SttProviderFacts = STT_PROVIDER_FACTS[provider];
  const rule = limits.find((each) => each.model.test(model ?? default_model ?? ''));
  const { max_bytes = null, max_duration_s = null, media_types = null } = rule ?? {};
  return { max_bytes, max_duration_s, media_types };
}

/** Returns the codes of the supported languages; null: unknown. */
export function sttLanguages(provider: SttProviderName): readonly string[] | null {
  const { languages }: SttProviderFacts = STT_PROVIDER_FACTS[provider];
  return languages ?? null;
}
