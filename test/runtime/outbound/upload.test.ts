import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';

const MIB = 1024 * 1024;
const FILE_BYTES = 48 * MIB;
/** Number of bytes between two measurements of memory. */
const STEP_BYTES = 16 * MIB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heldBytes(): number {
  // Collects twice, because an unused buffer is freed some time after a collection, but before the next one.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('An upload', () => {
  let server: Server;
  let directory: string;
  let received = 0;
  /** The maximum memory in buffers during the upload. */
  let mostHeld = 0;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cas-upload-'));
    server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        const isNextStep = Math.floor(received / STEP_BYTES) < Math.floor((received + chunk.length) / STEP_BYTES);
        received += chunk.length;
        if (isNextStep) mostHeld = Math.max(mostHeld, heldBytes());
      });
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(directory, { recursive: true });
  });

  it('is streamed from its file, without being held in memory', async () => {
    const path = join(directory, 'long.wav');
    await writeFile(path, '');
    await truncate(path, FILE_BYTES);
    const form = new FormData();
    form.append('file', new File([await openAsBlob(path)], 'long.wav', { type: 'audio/wav' }));
    const heldBefore = heldBytes();
    const { port } = server.address() as AddressInfo;
    const response = await createProviderFetch(MIB)(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
    expect(await response.json()).to.deep.equal({});
    expect(received).to.be.greaterThan(FILE_BYTES);
    expect(mostHeld - heldBefore).to.be.lessThan(FILE_BYTES / 2);
  });
});
