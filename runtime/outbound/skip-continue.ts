/** Connections of undici on which an unasked `100 Continue` is no failure. */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/**
 * Returns undici's own connector, whose HTTP/1.1 sockets leave out `100 Continue`. RFC 9110 §15.2 requires clients to ignore
 * one that they did not request, which IIS and some proxies send. undici closes the connection instead, and the request,
 * which may have been paid for, would be repeated. undici has no hook for this: `skipContinue` replaces the socket's methods.
 * Guarded by test/runtime/outbound/provider-fetch.test.ts.
 */
export function connectWithoutContinue(options: Partial<buildConnector.BuildOptions>): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, done) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket) skipContinue(socket);
      done(...result);
    });
}

const CONTINUE = 'HTTP/1.1 100 ';
const END = '\r\n\r\n';
const MAX_HELD_BYTES = 64 * 1024;

function skipContinue(socket: Socket): void {
  const { read, write } = socket;
  let isHead = false;
  let held = Buffer.alloc(0);
  // A response begins after the head of a request, which undici writes as text. Its body may follow later.
  socket.write = (...parts: unknown[]) => {
    if (typeof parts[0] === 'string' && parts[0].includes(' HTTP/1.1\r\n')) isHead = true;
    return write.apply(socket, parts as Parameters<typeof write>);
  };
  socket.read = (size?: number) => {
    let chunk = read.call(socket, size) as Buffer | null;
    while (isHead && chunk !== null) {
      held = cutContinue(Buffer.concat([held, chunk]));
      if (mayBeContinue(held) && held.length < MAX_HELD_BYTES) chunk = read.call(socket) as Buffer | null;
      else [chunk, held, isHead] = [held, Buffer.alloc(0), false];
    }
    return chunk;
  };
}

const mayBeContinue = (bytes: Buffer) => CONTINUE.startsWith(bytes.toString('latin1', 0, CONTINUE.length));

/** Returns the bytes behind every complete `100 Continue`. */
function cutContinue(bytes: Buffer): Buffer<ArrayBuffer> {
  let rest = bytes;
  for (;;) {
    const end = mayBeContinue(rest) ? rest.indexOf(END) : -1;
    if (end === -1) return rest as Buffer<ArrayBuffer>;
    rest = rest.subarray(end + END.length);
  }
}
