/** Ends a server so that nobody who asked for something is cut off, as far as the time allows. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Lingering } from './http/lingering.ts';

/** A connection whose last answer is on its way is idle a moment later; its client would keep it open for seconds. */
const CLOSE_IDLE_MS = 50;

/**
 * Browsers open connections ahead and may say nothing on them for minutes; Node takes such a one for busy. A request that
 * was on its way when the drain began has arrived by then.
 */
const CLOSE_UNUSED_MS = 1_000;

/**
 * Returns what drains the server: it takes no more connections, ends those that are idle or were never used, answers
 * what was asked, and cuts what is not done when the grace period, in milliseconds, ends.
 */
export function createDrain(server: Server, lingering: Lingering): (graceMs: number) => Promise<void> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function closeUnused(): void {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  return async function drain(graceMs) {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    lingering.drain();
    const sweep = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    const unused = setTimeout(closeUnused, CLOSE_UNUSED_MS);
    // A recording that is sent or received may take an hour more.
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(unused);
    clearTimeout(cut);
  };
}
