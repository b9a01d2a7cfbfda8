import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createUploadFetch } from '../../runtime/upload-fetch.ts';

const FILE_BYTES = 256 * 1024 * 1024;

describe('An upload', () => {
  let server: Server;
  let directory: string;
  let received = 0;
  /** The most that was held in buffers while the body came in. */
  let heldBytes = 0;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cas-upload-'));
    server = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        heldBytes = Math.max(heldBytes, process.memoryUsage().arrayBuffers);
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

  it('is read from its file as it is sent, never held in memory', async () => {
    const path = join(directory, 'long.wav');
    await writeFile(path, '');
    await truncate(path, FILE_BYTES);
    const form = new FormData();
    form.append('file', new File([await openAsBlob(path)], 'long.wav', { type: 'audio/wav' }));
    const heldBefore = process.memoryUsage().arrayBuffers;
    const { port } = server.address() as AddressInfo;
    const response = await createUploadFetch()(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
    expect(await response.json()).to.deep.equal({});
    expect(received).to.be.greaterThan(FILE_BYTES);
    expect(heldBytes - heldBefore).to.be.lessThan(FILE_BYTES / 4);
  });
});
