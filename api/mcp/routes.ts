/** `POST /api/mcp`: offers the API as tools of the Model Context Protocol. See docs/mcp.md. */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { endpointsOf } from '../../contract/values/endpoint.ts';
import type { ApiDeps } from '../deps.ts';
import { refusal } from '../errors.ts';
import { handle, type RequestFacts, type Route } from '../http/handle.ts';
import { Reply, type BytesReply } from '../reply.ts';
import { createInvoke } from '../http/invoke.ts';

/** Not part of the OpenAPI document: the protocol describes its own messages, and `tools/list` the tools. */
const callMcp = endpointsOf('Service')('callMcp', 'post /mcp', {
  summary: 'Send a message of the Model Context Protocol',
  scope: 'sessions:read',
  headers: z.object({
    origin: z.string().optional(),
    accept: z.string().default('application/json, text/event-stream'),
    'mcp-protocol-version': z.string().optional(),
    'mcp-method': z.string().optional(),
    'mcp-name': z.string().optional(),
  }),
  // Batches are refused, because many requests would count as one. Revision 2025-06-18 removed them.
  body: z.record(z.string(), z.unknown(), 'must be one JSON-RPC message'),
  answers: { 200: null },
  produces: ['application/json', 'text/event-stream'],
});

export function mcpRoutes(deps: ApiDeps, routes: readonly Route[]): Route[] {
  const invoke = createInvoke(routes, deps);
  const { corsOrigins } = deps.config.http;
  return [
    handle(callMcp, async ({ params: _params, query: _query, headers: { origin, ...headers }, body, ...facts }) => {
      requireToken(facts);
      requireOrigin(origin, facts, corsOrigins);
      // Not limited by the gate here, because each tool call passes the gate itself.
      return async () => {
        // Imported on first use, because the library takes 0.1 s to load and many installations never need it.
        const { answer } = await import('./server.ts');
        return await toReply(await answer({ log: deps.log, invoke }, { headers, body, facts }));
      };
    }),
  ];
}

/** Refuses the console's cookie, because every agent must have its own token with its own scopes. */
function requireToken({ login }: RequestFacts): void {
  if (login?.kind !== 'console') return;
  throw refusal('unauthorized:mcp');
}

/** Refuses pages of other origins, as the protocol requires. */
function requireOrigin(origin: string | undefined, { page }: RequestFacts, allowed: readonly string[]): void {
  if (origin === undefined || page.isOwn || allowed.includes('*') || allowed.includes(origin)) return;
  throw refusal('other_origin:page');
}

async function toReply(response: Response): Promise<BytesReply> {
  const type = response.headers.get('content-type');
  const isStream = type?.startsWith('text/event-stream') && response.body;
  const body = isStream ? Readable.fromWeb(response.body) : Buffer.from(await response.arrayBuffer());
  return new Reply(body, { status: response.status, headers: { ...(type !== null && { 'Content-Type': type }) } });
}
