/** A TCP proxy that can simulate network faults between a client and a server. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

export interface TcpProxy {
  port: number;
  /** Number of open connections. */
  connections(): number;
  /** Forwards data, including data that `hang` held back. */
  pass(): Promise<void>;
  /** Refuses connections and resets existing ones. */
  refuse(): Promise<void>;
  /** Accepts and keeps connections, but forwards no data. */
  hang(): void;
  /** Stops forwarding data on existing connections without closing them. New connections work. */
  silence(): void;
  /** Resets existing connections. New connections work. */
  cut(): void;
  /** Damages the next message of a client that contains the text, so that the server refuses it. */
  damage(text: string): void;
  stop(): Promise<void>;
}

export async function startTcpProxy(target: { host?: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const closed: Socket[] = [];
  let isHung = false;
  let isListening = false;
  let toBeDamaged: string | undefined;

  function damageIfMeant(chunk: Buffer): Buffer {
    const at = toBeDamaged === undefined ? -1 : chunk.indexOf(toBeDamaged);
    if (at < 0) return chunk;
    toBeDamaged = undefined;
    return Buffer.from(chunk).fill('?', at, at + 1);
  }

  const server = createServer((client) => {
    const upstream = connect(target.port, target.host ?? '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => to.write(from === client ? damageIfMeant(chunk) : chunk));
      from.on('error', () => undefined); // 'close' follows
      // While the proxy hangs, the client must not notice that the server closes idle connections.
      const pass = (act: () => void) => (isHung && from === upstream ? closed.push(to) : act());
      from.on('end', () => pass(() => to.end()));
      from.on('close', () => {
        sockets.delete(from);
        pass(() => to.destroy());
      });
      if (isHung) from.pause();
    }
  });

  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        isListening = true;
        resolve();
      });
    });

  const cut = () => sockets.forEach((socket) => socket.resetAndDestroy());

  async function refuse(): Promise<void> {
    if (!isListening) return;
    isListening = false;
    const closed = new Promise((resolve) => server.close(resolve));
    cut();
    await closed;
  }

  const port = await freePort();
  await listen();
  return {
    port,
    connections: () => sockets.size / 2,
    async pass() {
      isHung = false;
      closed.splice(0).forEach((socket) => socket.destroy());
      if (!isListening) await listen();
      sockets.forEach((socket) => socket.resume());
    },
    refuse,
    hang() {
      isHung = true;
      sockets.forEach((socket) => socket.pause());
    },
    silence() {
      sockets.forEach((socket) => socket.pause());
    },
    cut,
    damage(text) {
      toBeDamaged = text;
    },
    stop: refuse,
  };
}
