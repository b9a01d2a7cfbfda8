/** One request to a provider within a time limit, through an SDK or directly. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProviderName } from '../../../contract/values/constants.ts';
import { ProviderError, unreadable } from '../policy/provider-error.ts';

/** The reply of a request, for what the SDKs do not pass on. */
interface Exchange {
  failure?: ProviderError;
  headers?: Headers;
}

const exchanges = new AsyncLocalStorage<Exchange>();

/** Returns where `readReplies` notes the reply of the present request. */
export const currentExchange = (): Exchange => exchanges.getStore() ?? {};

interface ExchangeOptions {
  provider: ProviderName;
  timeoutMs: number;
  /** The caller's signal. Its reason is thrown unchanged and does not count as a fault of the provider. */
  signal: AbortSignal;
}

/**
 * Makes a call with a time limit for the whole exchange: the SDKs' own timeouts end with the response's headers, and a
 * body may hang. Returns the result and the headers of the last reply. Throws the `ProviderError` of the reply, which an
 * SDK would replace, or the reason of `signal`.
 */
export async function exchange<T>(
  { provider, timeoutMs, signal }: ExchangeOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<{ body: T; headers: Headers }> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  const state: Exchange = {};
  try {
    const body = await exchanges.run(state, send, AbortSignal.any([signal, deadline]));
    return { body, headers: state.headers ?? new Headers() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    if (state.failure) throw state.failure;
    // Errors of an SDK, such as for a body of another shape.
    throw deadline.aborted ? new ProviderError('timeout', ['no_response'], { provider }) : unreadable(provider);
  }
}
