/** Serves the declared endpoints: authenticates, parses the request, and calls the handler. */
import Router from '@koa/router';
import type { Context } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import {
  bodyLimitOf,
  type Endpoint,
  type EndpointInput,
  type UploadDeclaration,
} from '../../contract/values/endpoint.ts';
import type { ApiDeps } from '../deps.ts';
import { parseOrThrow, refusal } from '../errors.ts';
import { authenticate, isPerson, limitKeyOf, payerOf, type Caller } from '../guard/authenticate.ts';
import { requireStillValid } from './end-revoked.ts';
import { networkOf } from '../guard/client-address.ts';
import { MAX_WAITING_PEOPLE, type HeldBytes } from '../guard/gate.ts';
import { CONSOLE_COOKIE, readCookie, readPageFacts, type PageFacts } from '../guard/console-cookie.ts';
import type { Route } from './handle.ts';
import { authorize, parseParams, parseQuery, readQuery } from './invoke.ts';
import { readJson } from './read-json.ts';
import { readUpload, type FormReader } from './read-upload.ts';
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

/** A request on its way through the stages, each of which adds what it read. */
interface Request {
  ctx: Context & { params: unknown };
  deps: ApiDeps;
  endpoint: Endpoint;
  handler: Route['serve'];
  page: PageFacts;
  signal: AbortSignal;
  isJson: boolean;
  /** Added by `admit`. */
  caller: Caller;
  /** Whose limits the request counts for. Added by `admit`. */
  key: string;
  /** Added by `parseAddress`, the body by `readBody`. */
  input: Partial<EndpointInput<Endpoint>>;
  /** Added by `countLargeBody`. */
  memory?: HeldBytes;
}

type Next = () => Promise<unknown>;
type Stage = (request: Request, next: Next) => Promise<unknown>;

/** In order. Each stage calls the next one. */
const STAGES: readonly Stage[] = [
  ...[admit, parseAddress, countLargeBody, sendResponse],
  ...[waitForLargeBodies, readBody, waitForGate, callHandler],
];

async function serve(ctx: Context & { params: unknown }, route: Route, deps: ApiDeps): Promise<void> {
  const { endpoint, serve: handler } = route;
  ctx.state['operation'] = endpoint.operationId;
  ctx.state['route'] = API_BASE + endpoint.path;
  const request: Request = {
    ...{ ctx, deps, endpoint, handler, caller: ANONYMOUS, key: '', input: {} },
    page: readPageFacts(ctx),
    signal: signalOf(ctx),
    isJson: hasJson(ctx, endpoint),
  };
  const run = async (index: number): Promise<unknown> => STAGES[index]?.(request, () => run(index + 1));
  await run(0);
}

/**
 * Authenticates a request and counts it against its rate limit. This precedes reading the body, so clients without a
 * token or with too many requests cannot make the service read megabytes.
 */
async function admit(request: Request, next: Next): Promise<unknown> {
  const { ctx, deps, endpoint, page } = request;
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
  request.caller = caller;
  request.key = limitKeyOf(caller) || networkOf(ctx.ip);
  const take = () => (scope === null ? deps.addressLimits.take(ctx.ip) : deps.userLimits.take(request.key));
  ctx.set(await deps.gate.run(gateKey(caller, ctx), take, maxWaitingOf(caller)));
  if (scope !== null) {
    requireWorkspace(caller, credentials.addressed);
    await authorize(caller, { endpoint, address: ctx.ip, params: ctx.params }, deps);
  }
  return next();
}

/** Parses the path, the query and the headers. */
async function parseAddress({ ctx, endpoint, input }: Request, next: Next): Promise<unknown> {
  input.params = parseParams(endpoint, ctx.params);
  ctx.state['sessionId'] = sessionIdOf((input.params as { id?: unknown } | undefined)?.id);
  input.query = parseQuery(endpoint, readQuery(ctx.querystring)) as undefined;
  input.headers = endpoint.headers && parseOrThrow(endpoint.headers, ctx.headers);
  return next();
}

/** Counts the bytes of a large body until the response is written. */
async function countLargeBody(request: Request, next: Next): Promise<unknown> {
  const { ctx, deps, isJson, key } = request;
  if (!isJson || isSmall(ctx)) return next();
  const memory = deps.bodyMemory.open(key);
  request.memory = memory;
  try {
    return await next();
  } finally {
    memory.release();
  }
}

/** Writes the response. A wait for it is not part of the later stages: it takes no place in the gate. */
async function sendResponse(request: Request, next: Next): Promise<void> {
  const { ctx, deps, endpoint, caller, key, page } = request;
  const outcome = await next();
  const isChange = !page.isSafe;
  const countBytes = (bytes: number, sessionId: string | undefined) => {
    const waitedFor = isChange && typeof outcome === 'function' ? sessionId : undefined;
    countUnread(ctx, deps.unreadMemory, { key, bytes, isChange, waitedFor });
  };
  const result = typeof outcome === 'function' ? await (outcome as () => Promise<unknown>)() : outcome;
  respond(ctx, { endpoint, caller, countBytes }, result);
}

async function waitForLargeBodies({ deps, key, memory }: Request, next: Next): Promise<unknown> {
  return memory ? deps.largeBodies.run(key, next) : next();
}

/** Reads and parses the body. The handler reads a form. */
async function readBody(request: Request, next: Next): Promise<unknown> {
  const { ctx, endpoint, input, isJson, memory, caller } = request;
  if (endpoint.body && !isForm(request)) {
    const limit = bodyLimitOf(endpoint);
    const json = isJson ? await readJson(ctx, { limit, count: memory?.add }) : missingBody(endpoint);
    input.body = parseOrThrow(endpoint.body, json, { isPatch: endpoint.method === 'patch' });
    if (memory) await requireStillValid(caller);
  }
  return next();
}

/** A slow upload in the gate would block the other requests of its workspace. */
async function waitForGate(request: Request, next: Next): Promise<unknown> {
  const { ctx, deps, caller } = request;
  return isForm(request) ? next() : deps.gate.run(gateKey(caller, ctx), next, maxWaitingOf(caller));
}

async function callHandler({ ctx, deps, endpoint, handler, caller, key, input, page, signal }: Request) {
  // Refuses a request before it changes anything.
  deps.unreadMemory.require(key);
  const isHead = ctx.method === 'HEAD';
  const { upload } = endpoint;
  const readForm: FormReader<UploadDeclaration> | undefined =
    upload &&
    (async (receiver, limits) => {
      const form = await readUpload(ctx.req, upload, receiver, limits);
      await requireStillValid(caller);
      return form;
    });
  return deps.audit.serve({ endpoint, caller, address: ctx.ip, isHead, ...input }, () =>
    handler({
      ...(input as EndpointInput<Endpoint>),
      ...caller,
      ...{ page, isHead, signal, address: ctx.ip, userAgent: ctx.get('User-Agent') },
      cookie: (name) => readCookie(ctx, name),
      ...(readForm && { readForm }),
    }),
  );
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

const maxWaitingOf = (caller: Caller) => (isPerson(caller) ? MAX_WAITING_PEOPLE : undefined);

const isForm = ({ endpoint, isJson }: Request) => endpoint.upload !== undefined && !isJson;

const isSmall = (ctx: Context) => (ctx.request.length ?? Infinity) <= SMALL_BODY_BYTES;

/** Returns whether the body must be JSON: not if it may be a form and is not JSON, or if it is optional and missing. */
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
