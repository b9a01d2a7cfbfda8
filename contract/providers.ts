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

export const STT_PROVIDER_FACTS: Record<SttProviderName, SttProviderFacts> = {
  elevenlabs: { default_model: 'scribe_v2', key_variable: 'ELEVENLABS_API_KEY' },
  whisper: { default_model: 'whisper-1', key_variable: 'WHISPER_API_KEY' },
  aisha: { default_model: null, key_variable: 'AISHA_API_KEY' },
};
