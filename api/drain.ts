/** Stops a server without cutting off requests that have arrived. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Clients keep connections open for seconds after their last response. */
const CLOSE_IDLE_MS = 50;

/**
 * Browsers open connections in advance, and Node counts an unused one as busy. Requests that were on their way when the
 * drain began have arrived by then.
 */
const CLOSE_UNUSED_MS = 1_000;

/**
 * Returns a function that drains the server: it accepts no more connections, closes idle and unused ones, finishes running
 * requests, and cuts off what is not finished after `graceMs`.
 */
export function createDrain(server: Server): (graceMs: number) => Promise<void> {
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
    const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
    const unused = setTimeout(closeUnused, CLOSE_UNUSED_MS);
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(idle);
    clearTimeout(unused);
    clearTimeout(cutOff);
  };
}
