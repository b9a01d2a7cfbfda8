/** Creates clients of OpenAI's SDK for all providers that use it. */
import OpenAI from 'openai';
import type { ProviderName, Step } from '../../../contract/values/constants.ts';
import { stepProvider, urlVariable } from '../../../contract/values/providers.ts';
import type { ProviderReach } from './load-provider.ts';
import { ProviderError } from '../policy/provider-error.ts';
import { readReplies } from './read-reply.ts';
import { SDK_GRACE_MS, withoutEnvironment } from './sdk.ts';

/** Addresses of providers. Servers of the operator have none. */
const URLS: Partial<Record<ProviderName, string>> = {
  openai: 'https://api.openai.com/v1',
  grok: 'https://api.x.ai/v1',
  whisper: 'https://api.openai.com/v1',
};

/** Throws `ProviderError` if the URL of the operator's server is no longer set: the SDK would call OpenAI instead. */
export function createOpenAiClient(
  step: Step,
  { provider, apiKey, baseUrl = URLS[provider], timeoutMs, fetch }: ProviderReach,
): OpenAI {
  if (baseUrl === undefined) {
    const setting = urlVariable(stepProvider(step, provider));
    throw new ProviderError('auth', ['not_configured', { setting }], { provider });
  }
  const options = {
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    // The SDK's own log would contain conversations.
    logLevel: 'off' as const,
    // Without this class the SDK makes a request to find out its `Response` class.
    fetch: Object.assign(readReplies(fetch, { provider, step }), { Response }),
  };
  return withoutEnvironment(() => new OpenAI(options));
}
