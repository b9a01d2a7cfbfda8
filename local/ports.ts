import { createServer, type AddressInfo } from 'node:net';
import { portTaken, StartError } from '../runtime/process/process.ts';

/** Returns the usual port if it is preferred and free, otherwise any free port. */
export async function choosePort(usual: number, prefersUsual = true): Promise<number> {
  return (prefersUsual ? await tryPort(usual) : undefined) ?? (await freePort());
}

export async function freePort(): Promise<number> {
  return (await tryPort(0)) as number;
}

/** Throws `StartError` if another program uses the port. 0 means any free port. */
export async function requireFreePort({ host, port }: { host: string; port: number }): Promise<void> {
  if ((await tryPort(port, host)) === undefined) throw new StartError(portTaken(port, host));
}

/** Returns the port, or undefined if it is taken. 0 means any free port. */
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
