/** A webhook receiver on loopback that prints deliveries. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface DemoReceiver {
  url: string;
  stop(): Promise<void>;
}

export async function startDemoReceiver({ quiet = false } = {}): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => (size += chunk.length));
    request.on('end', () => {
      const { 'x-webhook-event': event, 'x-webhook-delivery': delivery } = request.headers;
      if (!quiet) console.log(`  received ${String(event)} ${String(delivery)}, ${size} bytes`);
      response.end('thank you');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
