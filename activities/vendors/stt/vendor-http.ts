/** Exchanges JSON over HTTP with vendors that have no SDK, and sorts the faults. */
import type { ProviderName, VendorFault } from '../../../contract/constants.ts';
import type { UploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import { errorOfStatus, faultOfStatus, retryAfterMs, VendorError } from '../vendor-error.ts';

export interface VendorReply {
  status: number;
  isOk: boolean;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  vendorRequestId: string | null;
  retryAfterMs: number | undefined;
}

/** Returns the vendor's answer, which may have an error status. Throws only when the connection fails. */
export async function exchange(fetch: UploadFetch, url: string, init: RequestInit): Promise<VendorReply> {
  const { status, ok, headers, text } = await read(await fetch(url, init));
  return {
    status,
    isOk: ok,
    body: parseJson(text),
    vendorRequestId: headers.get('request-id') ?? headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
}

async function read(response: Response) {
  const { status, ok, headers } = response;
  return { status, ok, headers, text: await response.text() };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function rejection(
  provider: ProviderName,
  { status, vendorRequestId, retryAfterMs: wait }: VendorReply,
  fault: VendorFault = faultOfStatus(status),
): VendorError {
  return errorOfStatus(status, { provider, vendorRequestId, ...(wait !== undefined && { retryAfterMs: wait }) }, fault);
}

export function unreadable(provider: ProviderName, { status, vendorRequestId }: VendorReply): VendorError {
  const details = { provider, httpStatus: status, vendorRequestId };
  return new VendorError('unavailable', 'sent an answer that could not be read', details);
}

/** Returns the `VendorError` for an error that `exchange` threw. */
export function connectionFault(provider: ProviderName, error: unknown): VendorError {
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  const reason = isUnreachable ? 'could not be reached' : 'sent an answer that could not be read';
  return new VendorError('unavailable', reason, { provider });
}
