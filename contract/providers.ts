/**
 * What the service knows of each vendor before it calls one: a row each, from which names, settings, prices and stand-ins
 * are read. Free of imports. A new vendor: CONTRIBUTING.md.
 */

interface ProviderFacts {
  /** Its proper name. */
  title: string;
  /** Its settings are `<prefix>_API_KEY` and `<prefix>_BASE_URL`. */
  variable_prefix: string;
  /** Model of an assistant that names none; `null`: the vendor has no choice of models. */
  default_model: string | null;
  /** Its name in the price library; undefined where that does not know it. */
  price_library_name?: string;
  /** Where its API begins below the URL of the stand-ins. */
  stand_in_path: string;
}

interface LlmProviderFacts extends ProviderFacts {
  default_model: string;
  /** The first rule that fits the model counts; none: it is sent the temperature, and if it refuses asked again without. */
  capabilities: readonly (ModelCapability & { model: RegExp })[];
}

/** Sources: docs/decisions.md, "Temperature". */
export interface ModelCapability {
  temperature: 'send' | 'omit';
  /** Set where the model takes a temperature only with its reasoning off. */
  reasoning_effort?: 'none';
}

interface SttProviderFacts extends ProviderFacts {
  /** Whose key is used where there is none of its own; it is sent to that vendor only. */
  key_shared_by?: LlmProviderName;
  /** Channels of a recording that it transcribes apart; 1: it has no such mode. */
  max_channels: number;
  /** The first rule that fits the model counts; none: only the server knows its bounds. */
  limits: readonly (SttLimits & { model: RegExp })[];
}

/** What a vendor takes; null: no bound is known. */
export interface SttLimits {
  max_bytes: number | null;
  max_duration_s: number | null;
}

/** Default models are the vendors' current small ones. Sources and prices: docs/decisions.md, "Default models". */
export const LLM_PROVIDER_FACTS = {
  openai: {
    title: 'OpenAI',
    variable_prefix: 'OPENAI',
    default_model: 'gpt-6-luna',
    price_library_name: 'openai',
    stand_in_path: '/openai/v1',
    capabilities: [
      {
        model: /^gpt-(6-luna|6-sol|6\.1-terra|5\.[1-6])(-|$)/,
        temperature: 'send',
        reasoning_effort: 'none',
      },
      { model: /^(gpt-[5-9]|o\d)/, temperature: 'omit' },
    ],
  },
  anthropic: {
    title: 'Anthropic',
    variable_prefix: 'ANTHROPIC',
    default_model: 'claude-haiku-5-5',
    price_library_name: 'anthropic',
    stand_in_path: '/anthropic',
    capabilities: [{ model: /./, temperature: 'omit' }],
  },
  gemini: {
    title: 'Gemini',
    variable_prefix: 'GEMINI',
    default_model: 'gemini-3.8-flash',
    price_library_name: 'google',
    stand_in_path: '/gemini',
    capabilities: [{ model: /^gemini-(3\.5-flash-lite|3\.[6-9]|[4-9])/, temperature: 'omit' }],
  },
  grok: {
    title: 'Grok',
    variable_prefix: 'XAI',
    default_model: 'grok-4.3',
    price_library_name: 'x-ai',
    stand_in_path: '/xai/v1',
    capabilities: [{ model: /^grok-4\.3(-|$)/, temperature: 'send', reasoning_effort: 'none' }],
  },
} as const satisfies Record<string, LlmProviderFacts>;

/** OpenAI counts the whole multipart body; this much is left for what is not the file. */
const MULTIPART_BYTES = 4_096;
const OPENAI_MAX_BYTES = 25 * 1_024 * 1_024 - MULTIPART_BYTES;

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
      { model: /^gpt-4o-/, max_bytes: OPENAI_MAX_BYTES, max_duration_s: 1_400 },
      { model: /^(whisper-1$|gpt-)/, max_bytes: OPENAI_MAX_BYTES, max_duration_s: null },
    ],
  },
  aisha: {
    title: 'Aisha',
    variable_prefix: 'AISHA',
    default_model: null,
    stand_in_path: '/aisha',
    max_channels: 1,
    limits: [],
  },
} as const satisfies Record<string, SttProviderFacts>;

type LlmProviderName = keyof typeof LLM_PROVIDER_FACTS;
type SttProviderName = keyof typeof STT_PROVIDER_FACTS;
type ProviderName = LlmProviderName | SttProviderName;

const FACTS = { ...LLM_PROVIDER_FACTS, ...STT_PROVIDER_FACTS };

interface AnyProviderFacts extends ProviderFacts, Pick<SttProviderFacts, 'key_shared_by'> {
  variable_prefix: (typeof FACTS)[ProviderName]['variable_prefix'];
}

export const PROVIDER_FACTS: Readonly<Record<ProviderName, AnyProviderFacts>> = FACTS;

/** Returns the name of the setting that holds the vendor's key. */
export const keyVariable = (name: ProviderName) => `${PROVIDER_FACTS[name].variable_prefix}_API_KEY` as const;

/** Returns the name of the setting that holds the URL of the vendor's API. */
export const urlVariable = (name: ProviderName) => `${PROVIDER_FACTS[name].variable_prefix}_BASE_URL` as const;

/** Returns what a model takes. */
export function capabilityOf(provider: LlmProviderName, model: string): ModelCapability {
  const { capabilities }: LlmProviderFacts = LLM_PROVIDER_FACTS[provider];
  return capabilities.find((rule) => rule.model.test(model)) ?? { temperature: 'send' };
}

/**
 * Returns the bounds of a recording, so that one is refused before anything is paid; null where only the server
 * knows them: a model that OpenAI does not have runs on a server of one's own.
 */
export function sttLimits(provider: SttProviderName, model: string | null): SttLimits {
  const { default_model, limits }: SttProviderFacts = STT_PROVIDER_FACTS[provider];
  const rule = limits.find((each) => each.model.test(model ?? default_model ?? ''));
  return { max_bytes: rule?.max_bytes ?? null, max_duration_s: rule?.max_duration_s ?? null };
}
