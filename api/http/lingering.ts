/**
 * Keeps the connection of a refused request open until its client has read the answer. A client that is still sending, such
 * as a proxy, reads it late or not at all if the connection is closed meanwhile: a close under unread bytes is a reset.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** What a refused request may still send before its connection is cut. */
export interface LingeringBounds {
  silentMs: number;
  totalMs: number;
  /** Instead of `totalMs`, while the server drains. */
  drainingMs: number;
  bytes: number;
}

/** The first two are those of nginx's `lingering_close`. The bytes are twice the largest recording. */
const BOUNDS: LingeringBounds = { silentMs: 5_000, totalMs: 30_000, drainingMs: 1_000, bytes: 1024 ** 3 };

const CHECK_MS = 250;

export interface Lingering {
  /** Cuts the connection when a bound is reached, and returns what lets it live on. */
  hold(socket: Socket): () => void;
  isHeld(socket: Socket): boolean;
  /** Says that the server drains from now on. */
  drain(): void;
}

export function createLingering(bounds = BOUNDS): Lingering {
  const held = new WeakSet<Socket>();
  let maxMs = bounds.totalMs;
  return {
    hold(socket) {
      const began = performance.now();
      const before = socket.bytesRead;
      const check = setInterval(() => {
        if (performance.now() - began > maxMs || socket.bytesRead - before > bounds.bytes) socket.destroy();
      }, CHECK_MS);
      const release = () => {
        clearInterval(check);
        held.delete(socket);
        socket.off('close', release);
      };
      held.add(socket);
      // Node destroys a connection that is silent for so long, and sets a time of its own for the next request.
      socket.setTimeout(bounds.silentMs).once('close', release);
      return release;
    },
    isHeld: (socket) => held.has(socket),
    drain: () => (maxMs = bounds.drainingMs),
  };
}

/** Returns the answer as a stream that ends when the request's body was read and dropped, or its connection is cut. */
export function answerAndDiscard(answer: string, request: IncomingMessage, lingering: Lingering): Readable {
  async function* parts() {
    yield answer;
    if (request.complete || request.destroyed) return;
    const release = lingering.hold(request.socket);
    // It fails where the client goes away or is cut off: the answer was sent.
    await finished(request.resume()).catch(() => undefined);
    release();
  }
  return Readable.from(parts());
}
