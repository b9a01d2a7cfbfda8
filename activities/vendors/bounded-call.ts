/** One call to a vendor within a time, with one meaning for each way it can end. */
import type { ProviderName } from '../../contract/constants.ts';
import { VendorError } from './vendor-error.ts';

/** What an SDK's own time-out is longer by: should it come first, the fault would look like the connection's. */
export const SDK_GRACE_MS = 10_000;

export interface BoundedCallOptions {
  provider: ProviderName;
  timeoutMs: number;
  /** The caller's: its abort is passed on as it is and is nobody's fault. */
  signal: AbortSignal;
  /** Sorts what the vendor's SDK throws. */
  classify: (error: unknown) => VendorError;
}

/**
 * The time bounds the whole exchange: the SDKs' own time-outs end with the response's headers, and a body may hang.
 * Throws `VendorError`, or the reason of `signal`.
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
