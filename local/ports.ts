import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The usual port if nobody has it, or else a free one. */
export async function choosePort(usual: number): Promise<number> {
  return (await tryPort(usual)) ?? (await freePort());
}

export async function freePort(): Promise<number> {
  return (await tryPort(0)) as number;
}

/** Undefined if the port is taken. 0 asks for any. */
function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const chosen = (server.address() as AddressInfo).port;
      server.close(() => resolve(chosen));
    });
  });
}
