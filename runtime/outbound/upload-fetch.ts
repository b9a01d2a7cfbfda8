/** `fetch` for uploads that are large and answers that are long in coming. */
import { Agent, fetch as undiciFetch, FormData as UndiciFormData } from 'undici';
import type { BodyInit } from 'undici';
import { capBody } from './capped-fetch.ts';

/** A recording of ten hours with a time for each word is near 20 MiB. Counted after decompression. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export type UploadFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` for uploads. undici's, because Node's own gives up after 300 s without headers and takes no agent
 * of another release of undici. The caller's signal is the only bound on time. Redirects are errors: a vendor's API has
 * none, a key sent in a header of its own would go along, and to be able to follow one undici keeps a copy of the whole
 * body in memory.
 */
export function createUploadFetch(): UploadFetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal = null } = init;
    const response = await undiciFetch(input instanceof Request ? input.url : input, {
      method,
      headers: [...new Headers(headers)],
      body: body instanceof FormData ? asUndiciForm(body) : ((body ?? null) as BodyInit | null),
      signal,
      dispatcher,
      redirect: 'error',
    });
    const { status, statusText } = response;
    const answer = response.body && capBody(response.body as ReadableStream<Uint8Array<ArrayBuffer>>, MAX_ANSWER_BYTES);
    return new Response(answer, { status, statusText, headers: [...response.headers] });
  };
}

/** Returns the form as undici's own class, the only one it knows; the files in it are shared, not copied. */
function asUndiciForm(form: FormData): UndiciFormData {
  const copy = new UndiciFormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}
