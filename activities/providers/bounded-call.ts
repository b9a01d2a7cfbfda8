import type { ProviderName } from '../../contract/values/constants.ts';
import { ProviderError } from './provider-error.ts';

interface BoundedCallOptions {
  provider: ProviderName;
  timeoutMs: number;
  /** The caller's signal. Its reason is thrown unchanged and does not count as a fault of the provider. */
  signal: AbortSignal;
  /** Returns the `ProviderError` for an error that the provider's SDK threw. */
  classify: (error: unknown) => ProviderError;
}

/**
 * Makes a call with a time limit for the whole exchange: the SDKs' own timeouts end with the response's headers, and a
 * body may hang. Throws `ProviderError`, or the reason of `signal`.
 */
export async function boundedCall<T>(
  options: BoundedCallOptions,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { provider, timeoutMs, signal, classify } = options;
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    return await call(AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    throw deadline.aborted ? new ProviderError('timeout', ['no_response'], { provider }) : classify(error);
  }
}
