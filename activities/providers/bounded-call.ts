import type { ProviderName } from '../../contract/values/constants.ts';
import { ProviderError, unreadable } from './provider-error.ts';

interface BoundedCallOptions {
  provider: ProviderName;
  timeoutMs: number;
  /** The caller's signal. Its reason is thrown unchanged and does not count as a fault of the provider. */
  signal: AbortSignal;
}

/**
 * Makes a call with a time limit for the whole exchange: the SDKs' own timeouts end with the response's headers, and a
 * body may hang. Throws `ProviderError`, or the reason of `signal`.
 */
export async function boundedCall<T>(
  { provider, timeoutMs, signal }: BoundedCallOptions,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await call(AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    // Errors of an SDK, such as for a body of another shape.
    throw deadline.aborted ? new ProviderError('timeout', ['no_response'], { provider }) : unreadable(provider);
  }
}
