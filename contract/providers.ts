/** What the service knows of each vendor before it calls one. Free of imports. */
import type { LlmProviderName, SttProviderName } from './constants.ts';

export interface LlmProviderFacts {
  /** Model of an assistant that names none. */
  default_model: string;
  /** Environment variable that holds the key. */
  key_variable: string;
}

/** Defaults: the vendors' current small models. Sources and prices: docs/decisions.md, "Default models". */
export const LLM_PROVIDER_FACTS: Record<LlmProviderName, LlmProviderFacts> = {
  openai: { default_model: 'gpt-6-luna', key_variable: 'OPENAI_API_KEY' },
  anthropic: { default_model: 'claude-haiku-5-5', key_variable: 'ANTHROPIC_API_KEY' },
  gemini: { default_model: 'gemini-3.8-flash', key_variable: 'GEMINI_API_KEY' },
  grok: { default_model: 'grok-4.3', key_variable: 'XAI_API_KEY' },
};

export interface SttProviderFacts {
  /** Model of an assistant that names none; `null`: the vendor has no choice of models. */
  default_model: string | null;
  key_variable: string;
}

export const STT_PROVIDER_FACTS = {
  elevenlabs: { default_model: 'scribe_v2', key_variable: 'ELEVENLABS_API_KEY' },
  whisper: { default_model: 'whisper-1', key_variable: 'WHISPER_API_KEY' },
  aisha: { default_model: null, key_variable: 'AISHA_API_KEY' },
} satisfies Record<SttProviderName, SttProviderFacts>;

/** What a vendor takes; null: no bound is known. */
export interface SttLimits {
  max_bytes: number | null;
  max_duration_s: number | null;
}

/** OpenAI counts the whole multipart body; this much is left for what is not the file. */
const MULTIPART_BYTES = 4_096;
const OPENAI_MAX_BYTES = 25 * 1_024 * 1_024 - MULTIPART_BYTES;

interface SttLimitRule extends SttLimits {
  provider: SttProviderName;
  model: RegExp;
}

/** The first rule that fits counts. Sources: docs/decisions.md, "Audio limits". */
const STT_LIMITS: readonly SttLimitRule[] = [
  { provider: 'elevenlabs', model: /./, max_bytes: 5_000_000_000, max_duration_s: 36_000 },
  { provider: 'whisper', model: /^gpt-4o-/, max_bytes: OPENAI_MAX_BYTES, max_duration_s: 1_400 },
  { provider: 'whisper', model: /^(whisper-1$|gpt-)/, max_bytes: OPENAI_MAX_BYTES, max_duration_s: null },
];

/**
 * Returns the bounds of a recording, so that one is refused before anything is paid; null where only the server
 * knows them: a model that OpenAI does not have runs on a server of one's own.
 */
export function sttLimits(provider: SttProviderName, model: string | null): SttLimits {
  const name = model ?? STT_PROVIDER_FACTS[provider].default_model ?? '';
  const rule = STT_LIMITS.find((each) => each.provider === provider && each.model.test(name));
  return { max_bytes: rule?.max_bytes ?? null, max_duration_s: rule?.max_duration_s ?? null };
}
