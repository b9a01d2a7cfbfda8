/** An HTTP server on loopback that records requests and returns the responses that a test defines. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}

export interface Receiver {
  url: string;
  requests: ReceivedRequest[];
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<unknown>;
  stop(): Promise<void>;
}

export type Answering = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ClosableReceiver extends Receiver {
  isOpen: boolean;
}

/** Starts a receiver that is initially closed: until it is opened, it responds with 503 and this text. */
export async function startClosedReceiver(words: string): Promise<ClosableReceiver> {
  const own = { isOpen: false };
  const receiver = await startReceiver((response) => {
    response.statusCode = own.isOpen ? 200 : 503;
    response.end(own.isOpen ? '' : words);
  });
  return Object.assign(own, receiver);
}

/** @param answer default: 200 with an empty body. @param host an address in 127.0.0.0/8. Each address counts as a different host. */
export async function startReceiver(
  answer: Answering = (response) => response.end(),
  host = '127.0.0.1',
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received: ReceivedRequest = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: Date.now(),
      };
      requests.push(received);
      answer(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    requests,
    until: (count) => eventually(() => requests.length, count),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Starts a receiver that forwards requests to `target` and returns the responses.
 * @param intercept runs first. If it returns a status, the request gets a response with this status and is not forwarded.
 */
export function startForwarder(
  target: string,
  intercept: (request: ReceivedRequest) => Promise<number | undefined>,
): Promise<Receiver> {
  return startReceiver((response, request) => {
    void (async () => {
      const status = await intercept(request);
      if (status !== undefined) return response.writeHead(status).end('{}');
      const { method, path, headers, body } = request;
      const { authorization = '', 'content-type': type = '' } = headers;
      const init = { method, headers: { authorization, 'content-type': type }, body: new Uint8Array(body) };
      const answer = await fetch(target + path, init);
      return response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
    })();
  });
}
