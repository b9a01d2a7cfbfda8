/** Points the providers that have no key at the stand-ins. */
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../contract/constants.ts';
import type { ProviderName } from '../../contract/constants.ts';
import type { Environment } from '../../runtime/environment.ts';

interface StandIn {
  keyVariable: string;
  /** The key that is used where the one above is not set. */
  otherKeyVariable?: string;
  urlVariable: string;
  /** Where the vendor's API begins below the stand-ins' URL. */
  path: string;
}

const STAND_INS: Record<ProviderName, StandIn> = {
  openai: { keyVariable: 'OPENAI_API_KEY', urlVariable: 'OPENAI_BASE_URL', path: '/openai/v1' },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY', urlVariable: 'ANTHROPIC_BASE_URL', path: '/anthropic' },
  gemini: { keyVariable: 'GEMINI_API_KEY', urlVariable: 'GEMINI_BASE_URL', path: '/gemini' },
  grok: { keyVariable: 'XAI_API_KEY', urlVariable: 'XAI_BASE_URL', path: '/xai/v1' },
  elevenlabs: { keyVariable: 'ELEVENLABS_API_KEY', urlVariable: 'ELEVENLABS_BASE_URL', path: '/elevenlabs' },
  whisper: {
    keyVariable: 'WHISPER_API_KEY',
    otherKeyVariable: 'OPENAI_API_KEY',
    urlVariable: 'WHISPER_BASE_URL',
    path: '/whisper/v1',
  },
  aisha: { keyVariable: 'AISHA_API_KEY', urlVariable: 'AISHA_BASE_URL', path: '/aisha' },
};

export const STAND_IN_PROVIDERS: readonly ProviderName[] = [...LLM_PROVIDERS, ...STT_PROVIDERS];

/** Providers with neither a key nor a base URL of their own. */
export function findKeyless(env: Environment): ProviderName[] {
  return STAND_IN_PROVIDERS.filter((name) => {
    const { keyVariable, otherKeyVariable, urlVariable } = STAND_INS[name];
    return ![keyVariable, otherKeyVariable, urlVariable].some((variable) => variable !== undefined && env[variable]);
  });
}

/** Variables that make the service use the stand-ins at `url` for these providers, and say so in their sessions. */
export function standInEnvironment(providers: readonly ProviderName[], url: string): Environment {
  const entries = providers.flatMap((name): [string, string][] => {
    const { keyVariable, urlVariable, path } = STAND_INS[name];
    return [
      [keyVariable, 'stand-in'],
      [urlVariable, url + path],
    ];
  });
  return { ...Object.fromEntries(entries), SIMULATED_PROVIDERS: providers.join(',') };
}
