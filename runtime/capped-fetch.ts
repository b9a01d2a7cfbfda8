/** Bounds what an SDK reads: they all take a response's body whole into memory. */

/** Far above any model's answer. Counted after decompression. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const nativeFetch = globalThis.fetch;

/**
 * Replaces the process's `fetch` by one whose response bodies fail beyond the bound. The global one, because
 * `@google/generative-ai` takes no other; call it before an SDK's client is made.
 */
export function capGlobalFetch(): void {
  globalThis.fetch = cappedFetch;
}

async function cappedFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const response = await nativeFetch(...args);
  if (!response.body) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) controller.error(new Error(`the response is larger than ${MAX_ANSWER_BYTES} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}
