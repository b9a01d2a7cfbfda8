/** How speech-to-text models are told the terms of a vocabulary. Sources: docs/recordings.md, "Names and rare words". */
import type { SttProviderName } from './constants.ts';
import { STT_PROVIDER_FACTS } from './providers.ts';

export interface VocabularyRule {
  /** In the provider's API. */
  parameter: 'keyterms' | 'keywords' | 'prompt';
  /** Most bytes of the whole text. */
  max_bytes?: number;
  /** Factor of the price of a transcription with terms. */
  price_factor?: number;
}

/** Whisper reads the last 224 tokens of the prompt. A token has at least one byte. */
const WHISPER_PROMPT: VocabularyRule = { parameter: 'prompt', max_bytes: 224 };

/** The first matching rule counts; undefined: the model takes no terms. */
const RULES: Record<SttProviderName, readonly (readonly [model: RegExp, rule?: VocabularyRule])[]> = {
  elevenlabs: [[/^/, { parameter: 'keyterms', price_factor: 1.2 }]],
  whisper: [
    [/-diarize\b/],
    [/^gpt-transcribe/, { parameter: 'keywords' }],
    [/^gpt-/, { parameter: 'prompt' }],
    [/^/, WHISPER_PROMPT],
  ],
  aisha: [],
  local: [[/^/, WHISPER_PROMPT]],
};

/** Returns how the model is told terms; undefined: it takes none. */
export function vocabularyRule(provider: SttProviderName, model: string | null): VocabularyRule | undefined {
  const name = model ?? STT_PROVIDER_FACTS[provider].default_model ?? '';
  return RULES[provider].find(([models]) => models.test(name))?.[1];
}
