import type { Provider } from 'conversation-analysis-client';
import type { ProviderName } from '../../../contract/values/constants.ts';
import { PROVIDER_FACTS, PROVIDERS } from '../../../contract/values/providers.ts';
import { texts } from '../texts/index.ts';

/** Names of providers are the same in every language, except for the local server. */
export const PROVIDER_NAMES = {
  ...Object.fromEntries(PROVIDERS.map((name) => [name, PROVIDER_FACTS[name].title])),
  ...texts.providers,
} as Record<ProviderName, string>;

const names: Partial<Record<string, string>> = PROVIDER_NAMES;

export const providerName = (provider: string | null): string | null => provider && (names[provider] ?? provider);

/** Returns a provider and its model, as in "OpenAI · gpt-4o". */
export const modelName = (provider: string | null, model: string | null): string =>
  [providerName(provider), model].filter(Boolean).join(' · ');

/** Returns whether the provider is simulated, has an API key, or neither: a key of the texts of the system page. */
export const accessOf = ({ simulated, configured }: Pick<Provider, 'simulated' | 'configured'>) =>
  simulated ? 'simulated' : configured ? 'configured' : 'noKey';
