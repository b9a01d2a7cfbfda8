/** Calls the route of an endpoint without HTTP: with its schemas, scope, audit rule and the workspace's place in the gate. */
import type { Endpoint, EndpointAnswer, EndpointInput } from '../../contract/values/endpoint.ts';
import { NO_QUERY } from '../../contract/values/schemas.ts';
import type { ApiDeps } from '../deps.ts';
import { parseOrThrow, refusal } from '../errors.ts';
import { hasScope, payerOf, requireScope, requireSubject, type Caller } from '../guard/authenticate.ts';
import { requireCreated } from '../guard/own-sessions.ts';
import { toReply } from '../reply.ts';
import type { RequestFacts, Route } from './handle.ts';

/** The parts of a request, before they are parsed. */
export type RequestParts = Partial<Record<keyof EndpointInput<Endpoint>, Record<string, unknown>>>;

/** Calls an endpoint for the caller of `facts`. Returns the body that its response would have. */
export type Invoke = <E extends Endpoint>(
  endpoint: E,
  parts: RequestParts,
  facts: RequestFacts,
) => Promise<EndpointAnswer<E>>;

export function createInvoke(routes: readonly Route[], deps: Pick<ApiDeps, 'audit' | 'gate'>): Invoke {
  const serveOf = new Map(routes.map(({ endpoint, serve }) => [endpoint.operationId, serve]));
  return async <E extends Endpoint>(endpoint: E, parts: RequestParts, facts: RequestFacts) => {
    const serve = serveOf.get(endpoint.operationId);
    if (!serve) throw new Error(`${endpoint.operationId} has no route`);
    await authorize(facts, { endpoint, address: facts.address, params: parts.params }, deps);
    const input = {
      params: parseParams(endpoint, parts.params ?? {}),
      query: parseQuery(endpoint, parts.query ?? {}) as undefined,
      headers: endpoint.headers && parseOrThrow(endpoint.headers, parts.headers ?? {}),
      body: endpoint.body && parseOrThrow(endpoint.body, parts.body ?? {}),
    };
    const request = { endpoint, caller: facts, address: facts.address, ...input };
    const outcome = await deps.gate.run(payerOf(facts), () =>
      deps.audit.serve(request, () => serve({ ...input, ...facts })),
    );
    const { body, status } = toReply(typeof outcome === 'function' ? await (outcome as () => unknown)() : outcome);
    const schema = endpoint.answers[status ?? Number(Object.keys(endpoint.answers)[0])];
    return schema?.parse(body) as EndpointAnswer<E>;
  };
}

/**
 * Throws unless the caller has the endpoint's scope. Records a refusal in the audit trail. A token that reads only the sessions
 * that it created gets 404 for others.
 */
export async function authorize(
  caller: Caller,
  { endpoint, address, params }: { endpoint: Endpoint; address: string; params: unknown },
  { audit }: Pick<ApiDeps, 'audit'>,
): Promise<void> {
  const { scope, operationId: operation } = endpoint;
  if (scope === null) return;
  requireSubject(caller, scope);
  if (!hasScope(caller, scope)) {
    if (endpoint.readsOwn && hasScope(caller, 'sessions:own')) {
      return requireCreated(caller, parseParams(endpoint, params) as unknown as { id: string });
    }
    await audit.refused({ endpoint, caller, address }, { action: 'scope_refused', details: { scope, operation } });
  }
  requireScope(caller, scope);
}

/** Returns the path parameters. An invalid one is a 404, because nothing can have that ID. */
export function parseParams(endpoint: Endpoint, params: unknown): undefined {
  const parsed = endpoint.params?.safeParse(params);
  if (parsed && !parsed.success) throw refusal('no_resource', { resource: 'resource' });
  return parsed?.data as undefined;
}

/** Returns the parameters of a URL, with a list for repeated ones. Takes linear time, unlike `ctx.query` of Koa 3.3. */
export function readQuery(querystring: string): Record<string, string | string[]> {
  const values = Map.groupBy(new URLSearchParams(querystring), ([name]) => name);
  const query = [...values].map(([name, [first, ...more]]): [string, string | string[]] => [
    name,
    more.length > 0 ? [first, ...more].map((each) => each?.[1] ?? '') : (first?.[1] ?? ''),
  ]);
  return Object.fromEntries(query);
}

/** Parses the query. Parameters such as `metadata.call_id` are the entries of the object field `metadata`. */
export function parseQuery({ query: schema = NO_QUERY }: Endpoint, query: Record<string, unknown>): unknown {
  const plain: [string, unknown][] = [];
  const pairs: Record<string, [string, unknown][]> = {};
  for (const [name, value] of Object.entries(query)) {
    const dot = name.indexOf('.');
    const field = name.slice(0, Math.max(dot, 0));
    if (Object.hasOwn(schema.shape, field)) (pairs[field] ??= []).push([name.slice(dot + 1), value]);
    else plain.push([name, value]);
  }
  const nested = Object.entries(pairs).map(([field, entries]) => [field, Object.fromEntries(entries)] as const);
  return parseOrThrow(schema, Object.fromEntries([...plain, ...nested]));
}
