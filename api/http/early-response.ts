/**
 * Responds to a refused request whose body is still arriving. Closing the connection at once would reset it, and a proxy in
 * front would return 502 instead of the refusal.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Context } from 'koa';

const MAX_MS = 1_000;
/** After this many further bytes, nothing is read until the client reads the response. */
const MAX_BYTES = 1024 * 1024;
/** Bodies this small are usually sent in full before the response arrives. */
const SHORT_BODY_BYTES = 64 * 1024;

const refused = new WeakSet<Socket>();

/** Returns whether the connection's request was refused, and the connection will be closed. */
export const isRefused = (socket: Socket): boolean => refused.has(socket);

/** Closes the connection after `MAX_MS`. Returns a function that keeps it open. */
export function closeSoon(socket: Socket): () => void {
  refused.add(socket);
  const timer = setTimeout(() => socket.destroy(), MAX_MS);
  return () => {
    clearTimeout(timer);
    refused.delete(socket);
  };
}

/** Sends the response while the body is still arriving, then reads and drops the rest of the body. */
export function respondEarly(ctx: Context, text: string): void {
  ctx.body = Readable.from(thenDrop(text, ctx.req));
  // The logged duration excludes the time until the connection is free.
  ctx.state['answeredAt'] = performance.now();
  ctx.length = Buffer.byteLength(text);
  // `close` makes the client stop sending. The rest of a short body is already on its way, so that connection is kept,
  // unless the client waits for `100 Continue` and may never send the body.
  const isOnItsWay = ctx.get('Expect') === '' && (ctx.request.length ?? Infinity) <= SHORT_BODY_BYTES;
  if (!isOnItsWay) ctx.set('Connection', 'close');
}

async function* thenDrop(text: string, request: IncomingMessage) {
  yield text;
  if (request.complete || request.destroyed) return;
  const { socket } = request;
  const keepOpen = closeSoon(socket);
  const end = socket.bytesRead + MAX_BYTES;
  request.on('data', () => socket.bytesRead > end && request.pause());
  // Rejects if the connection is closed first.
  await finished(request.resume()).catch(() => undefined);
  keepOpen();
}
