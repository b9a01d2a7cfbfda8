/** Exchanges JSON over HTTP with providers that have no SDK. */
import type { ProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { requestIdOf } from '../transport/read-reply.ts';

export interface ProviderReply {
  httpStatus: number;
  /** The parsed body. */
  body: unknown;
  providerRequestId: string | null;
  headers: Headers;
}

/** Returns the response. Throws `ProviderError` for an error reply. @param read `readReplies`. */
export async function exchangeJson(read: ProviderFetch, url: string, init: RequestInit): Promise<ProviderReply> {
  const response = await read(url, init);
  const { headers } = response;
  const body: unknown = await response.json();
  return { httpStatus: response.status, body, headers, ...requestIdOf(headers, body) };
}

/** Returns the status and request ID that an error reports. */
export const replyDetails = ({ httpStatus, providerRequestId }: ProviderReply) => ({ httpStatus, providerRequestId });

/** Returns a form with the recording in `fileField`. */
export function formOf(
  values: Record<string, unknown>,
  fileField: string,
  { audio, fileName, mediaType }: { audio: Blob; fileName: string; mediaType: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value].flat()) form.append(name, String(each));
  }
  form.append(fileField, new File([audio], fileName, { type: mediaType }));
  return form;
}
