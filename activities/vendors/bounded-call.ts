/** Makes one call to a vendor within a time, and gives each way it can end one meaning. */
import type { ProviderName } from '../../contract/constants.ts';
import { VendorError } from './vendor-error.ts';

/**
 * Milliseconds by which an SDK's own time-out is longer than ours: if it ended first, the fault would look like the
 * connection's.
 */
export const SDK_GRACE_MS = 10_000;

export interface BoundedCallOptions {
  provider: ProviderName;
  timeoutMs: number;
  /** The caller's signal. Its reason is thrown as it is and counts as nobody's fault. */
  signal: AbortSignal;
  /** Returns the `VendorError` for an error that the vendor's SDK threw. */
  classify: (error: unknown) => VendorError;
}

/**
 * Makes a call and bounds the whole exchange: the SDKs' own time-outs end with the response's headers, and a body may
 * hang. Throws `VendorError`, or the reason of `signal`.
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
    if (error instanceof VendorError) throw error;
    throw deadline.aborted ? new VendorError('timeout', 'did not answer in time', { provider }) : classify(error);
  }
}
