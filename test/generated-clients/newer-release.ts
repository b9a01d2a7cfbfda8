/** Simulates a newer release of the service: a proxy that adds properties and new values of enumerations to responses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Json = Record<string, unknown>;

export const ADDED = 'added_later';

/** Properties whose names no release declares: they belong to the user, or to the sentence of an error. */
const FREE = ['raw_response', 'metadata', 'params'];

/** Returns a function that changes a response as a newer release might. */
export function toNewer(document: unknown): (value: unknown) => unknown {
  const [names, values] = [new Set<string>(), new Set<unknown>()];
  collect(document, '', (name, listed) => {
    names.add(name);
    listed.forEach((value) => values.add(value));
  });
  const change = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return names.has(name) && values.has(value) ? ADDED : value;
    if (Array.isArray(value)) return value.map((item) => change(item, name));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([key, inner]) => [
      key,
      FREE.includes(key) ? (inner as unknown) : change(inner, key),
    ]);
    return { ...Object.fromEntries(members), [ADDED]: { any: ['value'] } } as Json;
  };
  return change;
}

/** Calls `found` for each open enumeration, with the name of its property. */
function collect(value: unknown, property: string, found: (name: string, values: unknown[]) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'x-extensible-enum') found(property, inner as unknown[]);
    else if (key === 'properties') {
      for (const [name, schema] of Object.entries(inner as Json)) collect(schema, name, found);
    } else collect(inner, property, found);
  }
}

/** Starts the proxy on a free port. */
export async function startNewerRelease(url: string, change: (value: unknown) => unknown) {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', headers, url: path = '/' } = request;
      const body = method === 'GET' ? null : new Uint8Array(await buffer(request));
      const kept = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name));
      const answer = await fetch(url + path, {
        method,
        headers: Object.fromEntries(kept) as Record<string, string>,
        body,
      });
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' });
      response.end(JSON.stringify(change(await answer.json())));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
