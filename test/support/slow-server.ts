/** A server whose TCP handshake takes a second or never ends, as over a distant or a broken network. */
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';

/** Blocks its event loop, so it accepts nothing meanwhile. */
const PROGRAM = `
  const { workerData: { host, port, blockMs }, parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok'));
  });
  server.listen({ host, port, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs), 50);
  });`;

interface SlowServer {
  port: number;
  stop(): Promise<unknown>;
}

/** @param blockMs 500: the handshake takes 1 s, since a lost packet is sent again after 1 s. */
export async function startSlowServer(host: string, blockMs: number, port = 0): Promise<SlowServer> {
  const worker = new Worker(PROGRAM, { eval: true, workerData: { host, port, blockMs } });
  const bound = await new Promise<number>((resolve) => worker.once('message', resolve));
  await new Promise((resolve) => setTimeout(resolve, 80));
  // Fills the queue of connections, so the kernel drops further ones.
  const fillers = [1, 2, 3].map(() => connect(bound, host).on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    port: bound,
    stop() {
      fillers.forEach((socket) => socket.destroy());
      return worker.terminate();
    },
  };
}
