/** A proxy in front of a stand-in that simulates outages and counts unanswered calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Delay of a 503 response. Long enough that parallel calls overlap and are counted as parallel. */
const REFUSAL_MS = 200;

interface ProviderGate {
  url: string;
  /** `there`: forwards calls. `away`: responds with 503. `silent`: never responds. */
  state: 'there' | 'away' | 'silent';
  /** Calls since `forget` that were not forwarded: number, and maximum at the same time. */
  unanswered: { calls: number; atOnce: number };
  forget(): void;
  stop(): Promise<void>;
}

export async function startProviderGate(standInsUrl: string): Promise<ProviderGate> {
  let underWay = 0;
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (gate.state === 'there') return forward(standInsUrl, request, body, response);
    const { unanswered } = gate;
    underWay += 1;
    unanswered.calls += 1;
    unanswered.atOnce = Math.max(unanswered.atOnce, underWay);
    response.once('close', () => (underWay -= 1));
    if (gate.state === 'silent') return;
    await sleep(REFUSAL_MS);
    response.writeHead(503, { 'Content-Type': 'application/json' }).end('{}');
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const gate: ProviderGate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'there',
    unanswered: { calls: 0, atOnce: 0 },
    forget: () => void (gate.unanswered = { calls: 0, atOnce: 0 }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}

async function forward(
  standInsUrl: string,
  { url = '', method = 'GET', headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = headers;
  const init = { method, headers: { authorization, 'content-type': type }, body };
  const answer = await fetch(standInsUrl + url, init);
  response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
}
