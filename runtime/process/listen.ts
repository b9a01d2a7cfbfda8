/** Opens the ports of the service. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { StartError } from './process.ts';

const TAKEN = ['EADDRINUSE', 'EACCES'];

/** Listens on an address. Throws `StartError` that names the setting to change: `HOST` or `PORT` with the prefix. */
export async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  prefix: '' | 'METRICS_' = '',
): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new StartError(
      TAKEN.includes(code)
        ? `Port ${port} on ${host} can't be used: another program uses it, or it is not allowed. Set ${prefix}PORT to another port, or to 0 for any free port.`
        : `${prefix}HOST can't be used: ${message}. Set it to an address of this machine.`,
    );
  }
}
