import { texts } from '../texts/index.ts';

const names: Partial<Record<string, string>> = texts.providers;

/** Returns the display name of a provider. */
export const providerName = (provider: string | null): string | null => provider && (names[provider] ?? provider);
