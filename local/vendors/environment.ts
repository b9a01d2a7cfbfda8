/** Points the providers that have no key at the stand-ins. */
import { LLM_PROVIDERS } from '../../contract/constants.ts';
import type { ProviderName } from '../../contract/constants.ts';
import type { Environment } from '../../runtime/config.ts';

interface StandIn {
  keyVariable: string;
  urlVariable: string;
  /** Where the vendor's API begins below the stand-ins' URL. */
  path: string;
}

const STAND_INS: Partial<Record<ProviderName, StandIn>> = {
  openai: { keyVariable: 'OPENAI_API_KEY', urlVariable: 'OPENAI_BASE_URL', path: '/openai/v1' },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY', urlVariable: 'ANTHROPIC_BASE_URL', path: '/anthropic' },
  gemini: { keyVariable: 'GEMINI_API_KEY', urlVariable: 'GEMINI_BASE_URL', path: '/gemini' },
  grok: { keyVariable: 'XAI_API_KEY', urlVariable: 'XAI_BASE_URL', path: '/xai/v1' },
};

/** Providers with neither a key nor a base URL of their own. */
export function findKeyless(env: Environment): ProviderName[] {
  return LLM_PROVIDERS.filter((name) => {
    const standIn = STAND_INS[name];
    return standIn && !env[standIn.keyVariable] && !env[standIn.urlVariable];
  });
}

/** Variables that make the service use the stand-ins at `url` for these providers, and say so in their sessions. */
export function standInEnvironment(providers: readonly ProviderName[], url: string): Environment {
  const entries = providers.flatMap((name): [string, string][] => {
    const standIn = STAND_INS[name];
    if (!standIn) return [];
    return [
      [standIn.keyVariable, 'stand-in'],
      [standIn.urlVariable, url + standIn.path],
    ];
  });
  return { ...Object.fromEntries(entries), SIMULATED_PROVIDERS: providers.join(',') };
}
