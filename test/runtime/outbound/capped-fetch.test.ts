import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { capGlobalFetch, observeResponse } from '../../../runtime/outbound/capped-fetch.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Answering, Receiver } from '../../support/receiver.ts';

const CAP_BYTES = 16 * 1024 * 1024;

describe('The capped fetch', () => {
  let receiver: Receiver;
  let answer: Answering;
  before(async () => {
    capGlobalFetch();
    receiver = await startReceiver((response, request) => answer(response, request));
  });
  after(() => receiver.stop());

  it('gives status, headers and body of an answer as they are', async () => {
    answer = (response) => response.writeHead(418, { 'X-A': 'b' }).end('{"a":1}');
    const response = await fetch(receiver.url);
    expect([response.status, response.headers.get('x-a'), await response.json()]).to.deep.equal([418, 'b', { a: 1 }]);
  });

  it('gives an answer without a body', async () => {
    answer = (response) => response.writeHead(204).end();
    expect((await fetch(receiver.url)).status).to.equal(204);
  });

  it('takes 16 MiB and not a byte more', async () => {
    answer = (response) => response.end(Buffer.alloc(CAP_BYTES));
    expect((await (await fetch(receiver.url)).arrayBuffer()).byteLength).to.equal(CAP_BYTES);
    answer = (response) => response.end(Buffer.alloc(CAP_BYTES + 1));
    const thrown = await (await fetch(receiver.url)).arrayBuffer().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });

  it('counts what is inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(CAP_BYTES + 1));
    answer = (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    const thrown = await (await fetch(receiver.url)).text().catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows no ${status}: what was sent goes nowhere else`, async () => {
      const elsewhere = await startReceiver();
      answer = (response) => response.writeHead(status, { Location: elsewhere.url }).end();
      try {
        for (const redirect of [undefined, 'follow'] as const) {
          const request = { method: 'POST', body: 'a conversation', ...(redirect && { redirect }) };
          const thrown = await fetch(receiver.url, request).catch((error: unknown) => error);
          expect(thrown).to.be.instanceOf(Error);
        }
        expect(elsewhere.requests).to.have.length(0);
      } finally {
        await elsewhere.stop();
      }
    });
  }

  it('closes the socket of an answer that is too large', async () => {
    let isClosed = false;
    answer = (response) => {
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pump).on('close', () => (isClosed = true));
      pump();
    };
    expect(await (await fetch(receiver.url)).text().catch(() => 'given up')).to.equal('given up');
    await eventually(() => isClosed, Boolean);
  });

  it('shows the headers to the call that asked, and to no other at the same time', async () => {
    answer = (response, { path }) => response.writeHead(200, { 'X-Path': path }).end();
    const seen = await Promise.all(
      ['/1', '/2', '/3'].map(async (path) => {
        const paths: unknown[] = [];
        const call = () => fetch(`${receiver.url}${path}`);
        await observeResponse((headers) => paths.push(headers.get('x-path')), call);
        return paths;
      }),
    );
    expect(seen).to.deep.equal([['/1'], ['/2'], ['/3']]);
  });
});
