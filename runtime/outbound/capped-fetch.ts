/** Bounds what an SDK reads: they all take a response's body whole into memory. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Far above any model's answer. Counted after decompression. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const nativeFetch = globalThis.fetch;

/**
 * Replaces the process's `fetch` by one whose response bodies fail beyond the bound and which follows no redirect. The global one, because
 * `@google/generative-ai` takes no other; call it before an SDK's client is made.
 */
export function capGlobalFetch(): void {
  globalThis.fetch = cappedFetch;
}

const observers = new AsyncLocalStorage<(headers: Headers) => void>();

/** Shows `observe` the headers of each response that `call` gets through the replaced `fetch`. */
export function observeResponse<T>(observe: (headers: Headers) => void, call: () => Promise<T>): Promise<T> {
  return observers.run(observe, call);
}

/**
 * Redirects are errors: a vendor's API has none, and the conversation, and a key in a header of its own, would go along
 * to wherever the answer points.
 */
async function cappedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await nativeFetch(input, { ...init, redirect: 'error' });
  observers.getStore()?.(response.headers);
  return response.body ? new Response(capBody(response.body, MAX_ANSWER_BYTES), response) : response;
}

/** Returns a body that fails once more than `maxBytes` of it have been read. */
export function capBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
  let size = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > maxBytes) controller.error(new Error(`the response is larger than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}
