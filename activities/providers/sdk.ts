/** Shared by the clients of OpenAI's and Anthropic's SDKs, which have the same error classes. */
import type { ProviderFetch } from '../../runtime/outbound/provider-fetch.ts';
import { errorOfReply, unreachable, unreadable, type ErrorReply, type ProviderError } from './provider-error.ts';

/**
 * Milliseconds by which an SDK's own timeout is longer than ours. If the SDK timed out first, the fault would look like a
 * connection error.
 */
export const SDK_GRACE_MS = 10_000;

/**
 * Returns the result of `create`, which sees an empty environment. The SDKs read more variables than their options can
 * replace: the headers in `OPENAI_CUSTOM_HEADERS` would go to every server that is called through OpenAI's SDK.
 */
export function withoutEnvironment<T>(create: () => T): T {
  const environment = process.env;
  process.env = {};
  try {
    return create();
  } finally {
    process.env = environment;
  }
}

/** Returns a `fetch` whose answers have JSON's media type. Some servers send JSON with another, and the SDKs return a string then. */
export function withJsonType(fetch: ProviderFetch): ProviderFetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || /json/i.test(response.headers.get('content-type') ?? '')) return response;
    const headers = new Headers(response.headers);
    headers.set('content-type', 'application/json');
    return new Response(response.body, { status: response.status, headers });
  };
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** The fields that the SDK's class leaves to its type parameters. */
interface SdkError {
  status?: number | undefined;
  error?: unknown;
  param?: string | null | undefined;
  requestID?: string | null | undefined;
  message: string;
  headers?: Headers | undefined;
}

/** Returns the `ProviderError` for an error of an SDK with these classes. */
export function classifySdkError(
  { provider, step }: Pick<ErrorReply, 'provider' | 'step'>,
  error: unknown,
  { APIError, APIConnectionError }: { APIError: ErrorClass; APIConnectionError: ErrorClass },
): ProviderError {
  if (error instanceof APIConnectionError) return unreachable(provider);
  const {
    status,
    error: body,
    param,
    requestID,
    message,
    headers,
  }: Partial<SdkError> = error instanceof APIError ? error : {};
  // The SDKs pass on errors of the JSON parser and the socket: the answer is malformed, empty, cut off or too large.
  if (status === undefined) return unreadable(provider);
  const text = `${message} ${JSON.stringify(body)}`;
  const outputRoom = readOutputRoom(message);
  const reply = { status, text, headers, param, outputRoom, providerRequestId: requestID ?? null };
  return errorOfReply({ provider, step, ...reply });
}

/** Returns the tokens left for the answer according to vLLM, which refuses an output limit that does not fit beside the prompt. */
function readOutputRoom(message = ''): number | undefined {
  const context = /maximum context length is (\d+)/.exec(message)?.[1];
  const prompt = /(?<!\d)(\d{1,9}) (?:input tokens|in the messages)/.exec(message)?.[1];
  return context === undefined || prompt === undefined ? undefined : Number(context) - Number(prompt);
}
