/** Serves the declared endpoints: authenticates, parses the request, and calls the handler. */
import Router from '@koa/router';
import type { Context } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import { bodyLimitOf, type Endpoint } from '../../contract/values/endpoint.ts';
import type { ApiDeps } from '../deps.ts';
import { parseOrThrow, refusal } from '../errors.ts';
import { authenticate, isPerson, limitKeyOf, payerOf, type Caller } from '../guard/authenticate.ts';
import { requireStillValid } from './end-revoked.ts';
import { networkOf } from '../guard/client-address.ts';
import { MAX_WAITING_PEOPLE } from '../guard/gate.ts';
import { CONSOLE_COOKIE, readCookie, readPageFacts, type PageFacts } from '../guard/console-cookie.ts';
import type { Route } from './handle.ts';
import { authorize, parseParams, parseQuery, readQuery } from './invoke.ts';
import { readJson } from './read-json.ts';
import { readUpload } from './read-upload.ts';
import { respond, sessionIdOf } from './respond.ts';
import { countUnread } from './unread.ts';

/** Bodies up to this size are neither counted nor limited in number. */
const SMALL_BODY_BYTES = 64 * 1024;

export function createRouter(routes: readonly Route[], deps: ApiDeps): Router {
  const router = new Router({ prefix: API_BASE });
  for (const route of routes) {
    const { method, path } = route.endpoint;
    router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx) => serve(ctx, route, deps));
  }
  return router;
}

async function serve(
  ctx: Context & { params: unknown },
  { endpoint, serve: handler }: Route,
  deps: ApiDeps,
): Promise<void> {
  const { upload, body: bodySchema } = endpoint;
  ctx.state['operation'] = endpoint.operationId;
  ctx.state['route'] = API_BASE + endpoint.path;
  const page = readPageFacts(ctx);
  const caller = await admit(ctx, endpoint, page, deps);
  const key = limitKey(caller, ctx);
  const params = parseParams(endpoint, ctx.params);
  ctx.state['sessionId'] = sessionIdOf(params?.['id']);
  const query: unknown = parseQuery(endpoint, readQuery(ctx.querystring));
  const headers = endpoint.headers && parseOrThrow(endpoint.headers, ctx.headers);
  const isHead = ctx.method === 'HEAD';
  const isPatch = endpoint.method === 'patch';
  const facts = {
    ...caller,
    page,
    isHead,
    signal: signalOf(ctx),
    cookie: (name: string) => readCookie(ctx, name),
    address: ctx.ip,
    userAgent: ctx.get('User-Agent'),
  };

  const isJson = hasJson(ctx, endpoint);
  const memory = isJson && !isSmall(ctx) ? deps.bodyMemory.open(key) : undefined;
  const handleBody = (body: unknown) =>
    deps.audit.serve({ endpoint, caller, address: ctx.ip, isHead, params, query, headers, body }, () =>
      handler({
        params,
        query: query as undefined,
        headers,
        body,
        ...facts,
        ...(upload && {
          readForm: async (receiver, limits) => {
            const form = await readUpload(ctx.req, upload, receiver, limits);
            await requireStillValid(caller);
            return form;
          },
        }),
      }),
    );
  const act = (body: unknown) => {
    // Refuses a request before it changes anything.
    deps.unreadMemory.require(key);
    return handleBody(body);
  };
  const readAndHandle = async () => {
    // A slow upload in the gate would block the other requests of its workspace.
    if (upload && !isJson) return act(undefined);
    const readBody = () => readJson(ctx, { limit: bodyLimitOf(endpoint), count: memory?.add });
    const body = bodySchema && parseOrThrow(bodySchema, isJson ? await readBody() : missingBody(endpoint), { isPatch });
    if (memory) await requireStillValid(caller);
    return deps.gate.run(gateKey(caller, ctx), () => act(body), maxWaitingOf(caller));
  };
  try {
    const outcome = await (memory ? deps.largeBodies.run(key, readAndHandle) : readAndHandle());
    const isChange = !page.isSafe;
    const countBytes = (bytes: number, sessionId: string | undefined) =>
      countUnread(ctx, deps.unreadMemory, {
        ...{ key, bytes, isChange },
        waitedFor: isChange && typeof outcome === 'function' ? sessionId : undefined,
      });
    const result = typeof outcome === 'function' ? await (outcome as () => Promise<unknown>)() : outcome;
    respond(ctx, { endpoint, caller, countBytes }, result);
  } finally {
    memory?.release();
  }
}

/**
 * Authenticates a request and counts it against its rate limit. This precedes reading the body, so clients without a
 * token or with too many requests cannot make the service read megabytes.
 */
async function admit(ctx: Context, endpoint: Endpoint, page: PageFacts, deps: ApiDeps): Promise<Caller> {
  const { scope } = endpoint;
  const credentials = {
    authorization: ctx.get('Authorization'),
    cookie: readCookie(ctx, CONSOLE_COOKIE),
    page,
    address: ctx.ip,
    addressed: ctx.state['addressed'] as string | undefined,
  };
  const caller =
    scope === null
      ? ANONYMOUS
      : await deps.unauthorizedLimits.guard(ctx.ip, () => authenticate(credentials, deps.loginTokens));
  ctx.state['workspaceId'] = caller.workspaceId;
  ctx.state['actorId'] = caller.key?.id ?? caller.login?.id;
  const take = () => (scope === null ? deps.addressLimits.take(ctx.ip) : deps.userLimits.take(limitKey(caller, ctx)));
  ctx.set(await deps.gate.run(gateKey(caller, ctx), take, maxWaitingOf(caller)));
  if (scope === null) return caller;
  requireWorkspace(caller, credentials.addressed);
  await authorize(caller, { endpoint, address: ctx.ip, params: ctx.params }, deps);
  return caller;
}

/** Throws `not_found` for a workspace of others as for one that does not exist. */
function requireWorkspace({ workspaceId }: Caller, addressed: string | undefined): void {
  if (addressed === undefined || addressed === workspaceId) return;
  throw refusal('no_workspace_access');
}

const ANONYMOUS: Caller = {
  workspaceId: '',
  ownerId: '',
  userId: '',
  role: undefined,
  login: undefined,
  key: undefined,
};

/** Returns whose limits a request counts for, or the client's network on public endpoints. */
const gateKey = (caller: Caller, { ip }: Context) => payerOf(caller) || networkOf(ip);

const limitKey = (caller: Caller, { ip }: Context) => limitKeyOf(caller) || networkOf(ip);

const maxWaitingOf = (caller: Caller) => (isPerson(caller) ? MAX_WAITING_PEOPLE : undefined);

const isSmall = (ctx: Context) => (ctx.request.length ?? Infinity) <= SMALL_BODY_BYTES;

/** Returns whether the body must be JSON: not if it may be a form and is no JSON, or if it is optional and missing. */
function hasJson(ctx: Context, { body, upload }: Endpoint): boolean {
  if (!body) return false;
  if (upload) return typeof ctx.request.is('json', '+json') === 'string';
  const isMissing = ctx.get('Transfer-Encoding') === '' && !ctx.request.length;
  return !(isMissing && isOptional(body));
}

/** What a request without a body stands for: nothing, or an object without members. */
const missingBody = ({ body }: Endpoint) => (body?.safeParse(undefined).success ? undefined : {});

const isOptional = (body: NonNullable<Endpoint['body']>) =>
  body.safeParse(undefined).success || body.safeParse({}).success;

/** Returns a signal that aborts when the response is sent or the client disconnects. */
function signalOf(ctx: Context): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => controller.abort());
  return controller.signal;
}
