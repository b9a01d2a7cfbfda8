import { requireFreePort } from '../../local/ports.ts';

/**
 * Returns a port on which nothing listens, below the range for outgoing connections, so that no connection takes it before or after
 * the server of the test.
 */
export function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  return requireFreePort({ host: '127.0.0.1', port }).then(() => port, freePort);
}
