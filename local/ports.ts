import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { portTaken, StartError } from '../runtime/process.ts';

/** Returns the usual port if it is preferred and nobody has it, or else a free one. */
export async function choosePort(usual: number, prefersUsual = true): Promise<number> {
  return (prefersUsual ? await tryPort(usual) : undefined) ?? (await freePort());
}

export async function freePort(): Promise<number> {
  return (await tryPort(0)) as number;
}

/** Throws `StartError` if another program listens on the port; 0 stands for any free one. */
export async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  if ((await tryPort(port, host)) === undefined) throw new StartError(portTaken(port, host));
}

/** Returns undefined if the port is taken. 0 asks for any. */
function tryPort(port: number, host = '127.0.0.1'): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const chosen = (server.address() as AddressInfo).port;
      server.close(() => resolve(chosen));
    });
  });
}
