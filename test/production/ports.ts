import { choosePort } from '../../local/ports.ts';

let last = 20_000 + Math.floor(Math.random() * 10_000);

/**
 * Returns a free port for a process that may be restarted on it. The port is below the range for outgoing connections, so no
 * connection can take it in between. Temporal stores ports as signed 16-bit numbers.
 */
export async function nextPort(): Promise<number> {
  for (;;) {
    const port = (last += 1);
    if ((await choosePort(port)) === port) return port;
  }
}
