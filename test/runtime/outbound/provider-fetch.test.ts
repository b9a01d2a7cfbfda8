import dns, { type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { createServer, getDefaultAutoSelectFamily, setDefaultAutoSelectFamily, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createProviderFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { callWithFetch } from '../../../runtime/outbound/provider-fetch.ts';
import { errorOf } from '../../support/error-of.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver, type Answering } from '../../support/receiver.ts';
import { startSlowServer } from '../../support/slow-server.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';
import { useStarted } from '../../support/use-started.ts';

const CAP_BYTES = 16 * 1024 * 1024;
const fetch = createProviderFetch(CAP_BYTES);

describe('The fetch for providers', () => {
  let answer: Answering;
  const receiver = useStarted(() => startReceiver((response, request) => answer(response, request)));

  it('returns status, headers and body unchanged, also without a body', async () => {
    answer = (response) => response.writeHead(418, { 'X-A': 'b' }).end('{"a":1}');
    const response = await fetch(receiver.url);
    expect([response.status, response.headers.get('x-a'), await response.json()]).to.deep.equal([418, 'b', { a: 1 }]);
    answer = (response) => response.writeHead(204).end();
    expect((await fetch(receiver.url)).status).to.equal(204);
  });

  it('accepts 16 MiB after decompression, and not one byte more', async () => {
    answer = (response) => response.end(Buffer.alloc(CAP_BYTES));
    expect((await (await fetch(receiver.url)).arrayBuffer()).byteLength).to.equal(CAP_BYTES);
    answer = (response) => response.end(Buffer.alloc(CAP_BYTES + 1));
    expect(await errorOf((await fetch(receiver.url)).arrayBuffer())).to.be.instanceOf(Error);
    const bomb = gzipSync(Buffer.alloc(CAP_BYTES + 1));
    answer = (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    expect(await errorOf((await fetch(receiver.url)).text())).to.be.instanceOf(Error);
  });

  it("reaches a slow address beside one that refuses, with Node's address selection on and off", async () => {
    const { port } = await stopAfterTest(startSlowServer('127.0.0.2', 1_500));
    const { lookup } = dns;
    const before = getDefaultAutoSelectFamily();
    const addresses = [
      { address: '127.0.0.2', family: 4 },
      { address: '::1', family: 6 },
    ];
    const resolve = (_host: string, { all }: LookupOptions, done: (...found: unknown[]) => void) =>
      all ? done(null, addresses) : done(null, '127.0.0.2', 4);
    try {
      Object.assign(dns, { lookup: resolve });
      const statuses = [true, false].map(async (isSelecting) => {
        setDefaultAutoSelectFamily(isSelecting);
        return (await createProviderFetch(1_000)(`http://far.example.com:${port}/`)).status;
      });
      expect(await Promise.all(statuses)).to.deep.equal([200, 200]);
    } finally {
      Object.assign(dns, { lookup });
      setDefaultAutoSelectFamily(before);
    }
  });

  it('ignores interim responses that it did not request, whole or in parts, also on a used connection', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\nServer: IIS\r\n\r\n';
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';
    const final = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n';
    let [connections, queue] = [0, [] as string[]];
    const server = createServer((socket) => {
      connections += 1;
      socket.on('data', (data) => {
        if (!data.toString().endsWith('{}')) return;
        const parts = queue;
        const next = () => {
          const part = parts.shift();
          if (part !== undefined) socket.write(part, () => setImmediate(next));
        };
        next();
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      for (const parts of [[interim + final], [interim, interim, hints, final], [...interim, final], [final]]) {
        queue = [...parts, 'HTTP'];
        const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
        expect([response.status, await response.text()], String(parts)).to.deep.equal([200, 'HTTP']);
      }
      expect(connections, 'a connection was used again').to.be.below(4);
    } finally {
      server.close();
    }
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow redirects with HTTP ${status}`, async () => {
      const elsewhere = await startReceiver();
      answer = (response) => response.writeHead(status, { Location: elsewhere.url }).end();
      try {
        for (const redirect of [undefined, 'follow'] as const) {
          const request = { method: 'POST', body: 'a conversation', ...(redirect && { redirect }) };
          expect(await errorOf(fetch(receiver.url, request))).to.be.instanceOf(Error);
        }
        expect(elsewhere.requests).to.have.length(0);
      } finally {
        await elsewhere.stop();
      }
    });
  }

  it('closes the connection if a response is too large', async () => {
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

  it('replaces the fetch of the process for one call only', async () => {
    answer = (response) => response.end('{}');
    const seen = await Promise.all(
      ['/1', '/2', '/3'].map(async (path) => {
        const urls: unknown[] = [];
        const own: typeof fetch = (input, init) => {
          urls.push(input);
          return fetch(input, init);
        };
        await callWithFetch(own, () => globalThis.fetch(path === '/3' ? receiver.url : `${receiver.url}${path}`));
        return urls;
      }),
    );
    expect(seen).to.deep.equal([[`${receiver.url}/1`], [`${receiver.url}/2`], [receiver.url]]);
    expect((await globalThis.fetch(receiver.url)).status).to.equal(200);
  });
});
