/** Serves Temporal's UI, which accepts every host name, so that a web page cannot use it through DNS rebinding. */
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { isLoopback } from '../runtime/network/loopback.ts';

/** Returns an address on which web pages do not find the UI itself: only Linux has all of 127.0.0.0/8. */
export const hiddenAddress = () =>
  process.platform === 'linux'
    ? `127.${[randomInt(1, 255), randomInt(255), randomInt(1, 255)].join('.')}`
    : '127.0.0.1';

/** Passes requests with a loopback host name to the UI. */
export async function serveTemporalUi(port: number, ui: { hostname: string; port: number }): Promise<() => void> {
  const server = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const name = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '';
    if (!isLoopback(name)) return response.writeHead(421).end('Use the name localhost.');
    const sent = request({ ...ui, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => sent.destroy());
    return incoming.pipe(sent);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
