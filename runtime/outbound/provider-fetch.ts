/** `fetch` for providers: proxies, large uploads, slow responses, and a limit for the response size. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch, FormData as UndiciFormData, type BodyInit } from 'undici';
import type { Config } from '../settings/config.ts';
import { EVERY_ADDRESS } from '../network/every-address.ts';
import { createProxyBypass } from '../settings/proxy-settings.ts';
import { connectWithoutContinue } from './skip-continue.ts';

export type ProviderFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Returns a `fetch` whose response bodies fail above `maxBytes`, counted after decompression. Only the caller's signal
 * limits the time: it is undici's `fetch`, because Node's own stops after 300 s without headers and accepts no agent of
 * another undici release. Redirects are errors: provider APIs have none, the key would be sent along, and undici would
 * copy the whole body into memory.
 * @param proxies null: none. Default: those of the environment.
 */
export function createProviderFetch(maxBytes: number, proxies: Partial<Config['proxies']> | null = {}): ProviderFetch {
  const options = { headersTimeout: 0, bodyTimeout: 0, connect: connectWithoutContinue(EVERY_ADDRESS) };
  const direct = new Agent(options);
  const proxied = proxies === null ? direct : new EnvHttpProxyAgent({ ...options, ...proxies });
  const bypassesProxy = createProxyBypass(proxies?.noProxy);

  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal = null } = init;
    const url = new URL(input instanceof Request ? input.url : input);
    const response = await undiciFetch(url, {
      method,
      headers: [...new Headers(headers)],
      body: body instanceof FormData ? asUndiciForm(body) : ((body ?? null) as BodyInit | null),
      signal,
      dispatcher: bypassesProxy(url.hostname) ? direct : proxied,
      redirect: 'error',
    });
    const { status, statusText } = response;
    const answer = response.body && capBody(response.body as ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes);
    return new Response(answer, { status, statusText, headers: [...response.headers] });
  };
}

/** Converts the form to undici's own class, the only one it accepts. Files are shared, not copied. */
function asUndiciForm(form: FormData): UndiciFormData {
  const copy = new UndiciFormData();
  for (const [name, value] of form) {
    if (typeof value === 'string') copy.append(name, value);
    else copy.append(name, value, value.name);
  }
  return copy;
}

/** Returns a body that fails when more than `maxBytes` have been read. */
function capBody(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number) {
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

const scope = new AsyncLocalStorage<ProviderFetch>();
const nativeFetch = globalThis.fetch;
const scopedFetch: typeof fetch = (input, init) => (scope.getStore() ?? nativeFetch)(input, init);

/**
 * Runs a call of an SDK without a `fetch` option. Its requests use `fetch` instead of the global one; other calls do not. Guarded
 * by test/runtime/outbound/provider-fetch.test.ts.
 */
export function callWithFetch<T>(fetch: ProviderFetch, call: () => Promise<T>): Promise<T> {
  globalThis.fetch = scopedFetch;
  return scope.run(fetch, call);
}
