import type { Provider } from 'conversation-analysis-client';
import { texts } from '../texts/index.ts';

const names: Partial<Record<string, string>> = texts.providers;

export const providerName = (provider: string | null): string | null => provider && (names[provider] ?? provider);

/** Returns a provider and its model, as in "OpenAI · gpt-4o". */
export const modelName = (provider: string | null, model: string | null): string =>
  [providerName(provider), model].filter(Boolean).join(' · ');

/** Returns whether the provider is simulated, has an API key, or neither: a key of `texts.system`. */
export const accessOf = ({ simulated, configured }: Pick<Provider, 'simulated' | 'configured'>) =>
  simulated ? 'simulated' : configured ? 'configured' : 'noKey';
