import { choosePort } from '../../local/ports.ts';

let last = 20_000 + Math.floor(Math.random() * 10_000);

/**
 * Returns a free port for a part that may come back on it: below those that the system hands out to connections, one of
 * which could take it meanwhile. Temporal keeps its ports in two bytes with a sign.
 */
export async function nextPort(): Promise<number> {
  for (;;) {
    const port = (last += 1);
    if ((await choosePort(port)) === port) return port;
  }
}
