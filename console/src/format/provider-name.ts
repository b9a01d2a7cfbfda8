import { texts } from '../texts/index.ts';

const names: Partial<Record<string, string>> = texts.providers;

/** Returns a provider's name as people write it. */
export const providerName = (provider: string | null): string | null => provider && (names[provider] ?? provider);
