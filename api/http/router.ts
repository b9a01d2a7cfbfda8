/** Serves the declared endpoints: authentication, parsing and answering are the same for all of them. */
import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Context } from 'koa';
import { API_BASE } from '../../contract/constants.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { NO_QUERY } from '../../contract/fields.ts';
import type { ApiDeps } from '../deps.ts';
import { ApiError, parseOrThrow } from '../errors.ts';
import { authenticate, requireScope } from './authenticate.ts';
import type { Caller } from './authenticate.ts';
import { audited } from './audit.ts';
import type { AuditedRequest } from './audit.ts';
import { networkOf } from './client-address.ts';
import { CONSOLE_COOKIE } from './console-cookie.ts';
import { etagOf } from './etag.ts';
import { BytesReply, ListReply, toReply } from './handle.ts';
import type { Route } from './handle.ts';
import { readPageFacts } from './page-facts.ts';
import { parseQuery } from './parse-query.ts';
import { parseJson, readJsonBytes } from './read-json.ts';
import { readUpload } from './read-upload.ts';
import { writeList } from './write-list.ts';

type Deps = Pick<ApiDeps, 'bodyRoom' | 'log' | 'loginTokens' | 'userLimits' | 'userTurns' | 'addressLimits'>;

export function createRouter(routes: readonly Route[], deps: Deps): Router {
  const router = new Router({ prefix: API_BASE });
  for (const route of routes) {
    const { method, path } = route.endpoint;
    router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx) => serve(ctx, route, deps));
  }
  return router;
}

async function serve(ctx: Context & { params: unknown }, route: Route, deps: Deps): Promise<void> {
  const { endpoint } = route;
  const { upload } = endpoint;
  ctx.state['operation'] = endpoint.operationId;
  ctx.state['route'] = API_BASE + endpoint.path;
  // Before the body is read: nobody without a token, or with too many requests, makes the service read megabytes.
  const isOpen = endpoint.auth === 'none';
  const page = readPageFacts(ctx);
  const caller = isOpen
    ? NOBODY
    : await authenticate(
        { authorization: ctx.get('Authorization'), cookie: ctx.cookies.get(CONSOLE_COOKIE), page, address: ctx.ip },
        deps.loginTokens,
      );
  const { userId, login, key } = caller;
  ctx.state['userId'] = userId;
  ctx.state['actorId'] = key?.id ?? login?.id;
  ctx.set(await (isOpen ? deps.addressLimits.take(ctx.ip) : deps.userLimits.take(userId)));
  if (endpoint.auth === 'bearer') requireScope(caller, endpoint.scope);
  const params = parseParams(endpoint, ctx.params);
  ctx.state['sessionId'] = sessionIdOf(params?.['id']);
  const query: unknown = parseQuery(endpoint.query ?? NO_QUERY, ctx.query);
  const headers = endpoint.headers && parseOrThrow(endpoint.headers, ctx.headers);
  const signal = abortedWithClient(ctx);
  const sender = { key: userId || networkOf(ctx.ip), limit: endpoint.bodyLimit, signal };
  const giveBack = endpoint.body && (await deps.bodyRoom.take(ctx.req, sender));
  let endTurn: (() => void) | undefined;
  try {
    const bytes = endpoint.body && (await readJsonBytes(ctx.req, endpoint.bodyLimit));
    // Not before the body is there: a slow line holds no turn. An upload is slow, and measured in turns of its own.
    if (!isOpen && !upload) endTurn = await deps.userTurns.take(userId, { bytes: bytes?.length ?? 0, signal });
    const body = endpoint.body && parseOrThrow(endpoint.body, parseJson(bytes as Buffer));
    const facts = { operationId: endpoint.operationId, caller, address: ctx.ip };
    const outcome = await audited(deps.log, { ...facts, params, body: body as AuditedRequest['body'] }, () =>
      route.serve({
        ...{ params, headers, body, page, signal },
        query: query as undefined,
        ...caller,
        address: ctx.ip,
        userAgent: ctx.get('User-Agent'),
        isHead: ctx.method === 'HEAD',
        endTurn: () => endTurn?.(),
        ...(upload && { readForm: (receiver, limits) => readUpload(ctx.req, upload, receiver, limits) }),
      }),
    );
    answer(ctx, endpoint, outcome);
  } finally {
    endTurn?.();
    giveBack?.();
  }
}

const NOBODY: Caller = { userId: '', login: undefined, key: undefined };

/** Returns the session's id for the log. */
function sessionIdOf(id: unknown): string | undefined {
  return typeof id === 'string' && id.startsWith('sess_') ? id : undefined;
}

/** Refuses path parameters of the wrong form, which name nothing that exists. */
function parseParams(endpoint: Endpoint, params: unknown): undefined {
  const parsed = endpoint.params?.safeParse(params);
  if (parsed && !parsed.success) throw new ApiError('not_found', 'Nothing of yours has this id.');
  return parsed?.data as undefined;
}

function abortedWithClient(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => controller.abort());
  return controller.signal;
}

/** Writes the answer. Its schema is a whitelist: a field that it does not declare never leaves the service. */
function answer(ctx: Context, endpoint: Endpoint, outcome: unknown): void {
  const { body, status, headers } = toReply(outcome);
  ctx.status = status ?? Number(Object.keys(endpoint.answers)[0]);
  ctx.state['sessionId'] ??= sessionIdOf((body as { session_id?: unknown } | undefined)?.session_id);
  const location = locate(endpoint.location, body);
  if (location !== undefined) ctx.set('Location', location);
  ctx.set(headers);
  if (outcome instanceof BytesReply) {
    // Koa would call an empty answer to HEAD a 204.
    if (outcome.stream) ctx.body = outcome.stream;
    return;
  }
  const schema = endpoint.answers[ctx.status];
  if (schema === undefined || schema === null) {
    ctx.body = null;
    return;
  }
  ctx.type = 'application/json';
  if (outcome instanceof ListReply) {
    ctx.body = Readable.from(writeList(outcome.parts, schema as Parameters<typeof writeList>[1]));
    return;
  }
  const json = JSON.stringify(schema.parse(body));
  if (endpoint.etag) ctx.set('ETag', etagOf(json));
  ctx.body = json;
}

/** Returns the location of what was made; undefined where the answer lacks the fields that it is made of. */
function locate(location: string | undefined, body: unknown): string | undefined {
  const fields = Object(body) as Record<string, unknown>;
  const names = [...(location ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (location === undefined || names.some((name) => fields[name] === undefined)) return undefined;
  return API_BASE + location.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(fields[name]));
}
