/** Exchanges JSON over HTTP with providers that have no SDK. */
import type { ProviderName, ProviderFault } from '../../../contract/values/constants.ts';
import type { ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { errorOfReply, unreachable, unreadable, type ProviderError } from '../provider-error.ts';

export interface ProviderReply {
  httpStatus: number;
  isOk: boolean;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  providerRequestId: string | null;
  headers: Headers;
}

/** Returns the response, which may have an error status. Throws only if the connection fails. */
export async function exchange(fetch: ProviderFetch, url: string, init: RequestInit): Promise<ProviderReply> {
  const response = await fetch(url, init);
  const { status: httpStatus, ok: isOk, headers } = response;
  const providerRequestId = headers.get('request-id') ?? headers.get('x-request-id');
  return { httpStatus, isOk, body: parseJson(await response.text()), providerRequestId, headers };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function rejection(provider: ProviderName, reply: ProviderReply, fault?: ProviderFault): ProviderError {
  const { httpStatus: status, body, headers, providerRequestId } = reply;
  const text = JSON.stringify(body) ?? '';
  return errorOfReply({ provider, step: 'transcription', status, text, headers, providerRequestId }, fault);
}

/** Returns the status and request ID that an error reports. */
export const detailsOf = ({ httpStatus, providerRequestId }: ProviderReply) => ({ httpStatus, providerRequestId });

/** Returns the `ProviderError` for an error that `exchange` threw. */
export function connectionFault(provider: ProviderName, error: unknown): ProviderError {
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  return isUnreachable ? unreachable(provider) : unreadable(provider);
}
