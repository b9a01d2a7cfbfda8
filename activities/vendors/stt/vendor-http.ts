/** What the vendors without an SDK have in common: JSON over HTTP, and its faults. */
import type { ProviderName, VendorFault } from '../../../contract/constants.ts';
import type { UploadFetch } from '../../../runtime/outbound/upload-fetch.ts';
import { errorOfStatus, faultOfStatus, retryAfterMs, VendorError } from '../vendor-error.ts';

export interface VendorReply {
  status: number;
  isOk: boolean;
  /** Undefined: not JSON. */
  body: unknown;
  vendorRequestId: string | null;
  retryAfterMs: number | undefined;
}

/** An error status is an answer here; what throws is the connection. */
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

/** Sorts what `exchange` throws. */
export function connectionFault(provider: ProviderName, error: unknown): VendorError {
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  const reason = isUnreachable ? 'could not be reached' : 'sent an answer that could not be read';
  return new VendorError('unavailable', reason, { provider });
}
