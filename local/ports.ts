import { createServer, type AddressInfo } from 'node:net';
import { listen } from '../runtime/process/listen.ts';

/** Returns the usual port if it is preferred and free, otherwise any free port. */
export async function choosePort(usual: number, prefersUsual = true): Promise<number> {
  return (prefersUsual ? await tryPort(usual) : undefined) ?? (await freePort());
}

export async function freePort(): Promise<number> {
  return (await tryPort(0)) as number;
}

/** Throws `StartError` if this machine has no such address, or another program uses the port. 0 means any free port. */
export async function requireFreePort(address: { host: string; port: number }): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await server[Symbol.asyncDispose]();
}

/** Returns the port, or undefined if it is taken. 0 means any free port. */
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
