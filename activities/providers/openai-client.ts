/** Creates clients of OpenAI's SDK for all providers that use it. */
import OpenAI, { APIConnectionError, APIError } from 'openai';
import type { ProviderFetch } from '../../runtime/outbound/provider-fetch.ts';
import type { ProviderReach } from './load-provider.ts';
import { ProviderError, type ErrorReply } from './provider-error.ts';
import { classifySdkError, SDK_GRACE_MS, withJsonType, withoutEnvironment } from './sdk.ts';

export interface OpenAiClientOptions extends ProviderReach {
  baseUrl: string;
}

/** Returns the URL of the operator's own server. Throws if it is no longer set: the SDK would call OpenAI instead. */
export function requireLocalUrl({ baseUrl }: ProviderReach, variable: string): string {
  if (baseUrl !== undefined) return baseUrl;
  throw new ProviderError('auth', ['not_configured', { setting: variable }], { provider: 'local' });
}

export const classifyOpenAiError = (error: unknown, source: Pick<ErrorReply, 'provider' | 'step'>): ProviderError =>
  classifySdkError(source, error, { APIError, APIConnectionError });

/** Returns the status and message of an error reply; empty for other errors. */
export const readApiError = (error: unknown): { status?: number; message?: string } =>
  error instanceof APIError ? (error as { status?: number; message: string }) : {};

export function createOpenAiClient({ apiKey, baseUrl, timeoutMs, fetch }: OpenAiClientOptions): OpenAI {
  const options = {
    apiKey: apiKey ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs + SDK_GRACE_MS,
    // The SDK's own log would contain conversations.
    logLevel: 'off' as const,
    // Without this class the SDK makes a request to find out its `Response` class.
    fetch: Object.assign(withNamedErrors(withJsonType(fetch)), { Response }),
  };
  return withoutEnvironment(() => new OpenAI(options));
}

/**
 * Returns a `fetch` whose error replies have the member `error`, the only one that the SDK reads. Some compatible servers
 * send `message` or `detail` without it.
 */
function withNamedErrors(fetch: ProviderFetch): ProviderFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const { status, headers } = response;
    const text = await response.text();
    return new Response(nameError(text), { status, headers });
  };
}

function nameError(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const isNamed = typeof body === 'object' && body !== null && 'error' in body;
    return isNamed ? text : JSON.stringify({ error: body });
  } catch {
    return text;
  }
}
