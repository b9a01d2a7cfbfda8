/** Creates clients of OpenAI's SDK for all providers that use it. */
import OpenAI from 'openai';
import type { ProviderReach } from './load-provider.ts';
import { ProviderError, type ReplySource } from '../policy/provider-error.ts';
import { readReplies } from './read-reply.ts';
import { SDK_GRACE_MS, withoutEnvironment } from './sdk.ts';

export interface OpenAiClientOptions extends ProviderReach {
  baseUrl: string;
}

/** Returns the URL of the operator's own server. Throws if it is no longer set: the SDK would call OpenAI instead. */
export function requireLocalUrl({ baseUrl }: ProviderReach, variable: string): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new ProviderError('auth', ['not_configured', { setting: variable }], { provider: 'local' });
}

export function createOpenAiClient(
  source: ReplySource,
  { apiKey, baseUrl, timeoutMs, fetch }: OpenAiClientOptions,
): OpenAI {
  const options = {
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    // The SDK's own log would contain conversations.
    logLevel: 'off' as const,
    // Without this class the SDK makes a request to find out its `Response` class.
    fetch: Object.assign(readReplies(fetch, source), { Response }),
  };
  return withoutEnvironment(() => new OpenAI(options));
}
