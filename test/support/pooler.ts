/** A server that refuses every connection in PostgreSQL's protocol, as poolers and managed servers do. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface Refusal {
  code: string;
  message: string;
}

interface PoolerOptions {
  /** Default: a free port of 127.0.0.1. */
  at?: { port: number; host: string } | { path: string };
  /** Default: TLS is refused. */
  tls?: { key: string; cert: string };
}

/** @param refuse returns the refusal of the next connection. */
export async function startPooler(
  refuse: () => Refusal,
  { at = { port: 0, host: '127.0.0.1' }, tls }: PoolerOptions = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();

  function answer(socket: Duplex): void {
    socket.on('error', () => undefined);
    socket.once('data', (request: Buffer) => {
      if (request.length > 8 || tls === undefined) return void socket.end(written(refuse()));
      socket.write('S');
      const options = { isServer: true, secureContext: createSecureContext(tls) };
      answer(new TLSSocket(socket, options));
    });
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(at, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://app:app@127.0.0.1:${port}/app`,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns an `ErrorResponse` of the protocol. */
function written({ code, message }: Refusal): Buffer {
  const fields = Buffer.from(
    `${[...['S', 'V'].map((field) => `${field}FATAL`), `C${code}`, `M${message}`].join('\0')}\0\0`,
  );
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
