import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { API_BASE } from '../../contract/values/constants.ts';
import type { Endpoint } from '../../contract/values/endpoint.ts';
import type { Caller } from '../guard/authenticate.ts';
import { setCookies } from '../guard/console-cookie.ts';
import { toReply } from '../reply.ts';
import { endWhenRevoked } from './end-revoked.ts';
import { etagOf } from './handle.ts';

/** Returns the ID if it is a session's, for the log. */
export const sessionIdOf = (id: unknown) => (typeof id === 'string' && id.startsWith('sess_') ? id : undefined);

const isBytes = (body: unknown): body is Readable | Buffer => body instanceof Readable || Buffer.isBuffer(body);

interface Answered {
  endpoint: Endpoint;
  caller: Caller;
  /** Throws if too many responses are unread. */
  countBytes: (bytes: number, sessionId: string | undefined) => void;
}

/** Writes the response. Its schema is a whitelist: fields that the schema does not declare are removed. */
export function respond(ctx: Context, { endpoint, caller, countBytes }: Answered, outcome: unknown): void {
  const { body, status, headers } = toReply(outcome);
  const answered = status ?? Number(Object.keys(endpoint.answers)[0]);
  const sessionId = sessionIdOf((body as { session_id?: unknown } | undefined)?.session_id);
  ctx.state['sessionId'] ??= sessionId;
  const schema = endpoint.answers[answered];
  const json = schema && !isBytes(body) ? JSON.stringify(schema.parse(body)) : undefined;
  // Outside the heap, where an unread text can take twice its bytes.
  const bytes = json === undefined ? body : Buffer.from(json);
  if (Buffer.isBuffer(bytes)) countBytes(bytes.length, sessionId);
  ctx.status = answered;
  const location = locate(endpoint.location, body);
  if (location !== undefined) ctx.set('Location', location);
  const { 'Set-Cookie': cookies, ...others } = headers;
  ctx.set(others);
  if (cookies !== undefined) setCookies(ctx, cookies);
  if (json !== undefined) {
    ctx.type = 'application/json';
    if (endpoint.etag) ctx.set('ETag', etagOf(json));
  }
  if (isBytes(bytes)) {
    if (bytes instanceof Readable) noteFailure(ctx, bytes);
    ctx.body = bytes;
    // Event streams end when they are notified.
    const isLong = bytes instanceof Readable && ctx.type !== 'text/event-stream';
    if (endpoint.scope !== null && isLong) endWhenRevoked(ctx.res, caller);
  } else if (!endpoint.produces) {
    ctx.body = null;
    // Koa changed it to 204.
    ctx.status = answered;
  }
}

/** Notes the failure of a body before it closes the connection, which then looks as if the client had closed it. */
function noteFailure(ctx: Context, body: Readable): void {
  const note = () => (ctx.state['hasFailed'] = !ctx.req.socket.errored);
  if (body.errored) note();
  else body.once('error', note);
}

/** Returns the URL of the created resource, or undefined if the response lacks a field that the URL contains. */
function locate(location: string | undefined, body: unknown): string | undefined {
  const fields = Object(body) as Record<string, unknown>;
  const names = [...(location ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (location === undefined || names.some((name) => fields[name] === undefined)) return undefined;
  return API_BASE + location.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(fields[name]));
}
