import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createAddressGuard } from '../../../runtime/outbound/address-guard.ts';
import { createAudioDownload, DownloadError, type AudioRequest } from '../../../runtime/outbound/audio-download.ts';
import { sha256 } from '../../support/audio.ts';
import { errorOf } from '../../support/error-of.ts';
import { startReceiver, type Answering, type ReceivedRequest } from '../../support/receiver.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const FILE = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 251));
const ETAG = { ETag: '"v1"' };

/** Answers as a server with ranges. The first `cuts` answers end after a third of the file. */
function interrupted(cuts: number, headers: Record<string, string> = ETAG): Answering {
  let answered = 0;
  return (response, { headers: { range = '' } }) => {
    const start = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
    const length = { 'Content-Length': FILE.length - start };
    if (start === 0) response.writeHead(200, { ...headers, ...length });
    else
      response.writeHead(206, {
        ...headers,
        ...length,
        'Content-Range': `bytes ${start}-${FILE.length - 1}/${FILE.length}`,
      });
    if (answered++ >= cuts) response.end(FILE.subarray(start));
    else response.write(FILE.subarray(start, start + 33_000), () => setTimeout(() => response.destroy(), 50));
  };
}

describe('A download of a recording', () => {
  const start = createAudioDownload(createAddressGuard(['127.0.0.1', '127.0.0.2']), 1_500);
  const { signal } = new AbortController();

  const serve = (answer: Answering, host?: string) => stopAfterTest(startReceiver(answer, host));

  async function download(url: string, more: Partial<AudioRequest> = {}) {
    const { body, close } = await start({ url, headers: {}, maxBytes: 1_000_000, signal, ...more });
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk);
      return Buffer.concat(chunks);
    } finally {
      close();
    }
  }

  async function failureOf(url: string, more: Partial<AudioRequest> = {}) {
    const error = await errorOf(download(url, more));
    expect(error).to.be.instanceOf(DownloadError);
    const { failure, statusCode, retries, retryAfterMs, message } = error as DownloadError;
    expect(message).not.to.contain('secret');
    return { failure, statusCode, retries, retryAfterMs };
  }

  const redirectTo =
    (location: string): Answering =>
    (response) =>
      response.writeHead(302, { Location: location }).end();

  it('continues where the connection ended, with the same bytes', async () => {
    const modified = 'Sat, 21 Nov 2026 09:00:00 GMT';
    const check = async (headers: Record<string, string>, version: string) => {
      const server = await serve(interrupted(2, headers));
      expect(sha256(await download(server.url))).to.equal(sha256(FILE));
      const ranges = server.requests.map(({ headers: { range, 'if-range': given } }) => [range, given]);
      expect(ranges).to.deep.equal([
        [undefined, undefined],
        ['bytes=33000-', version],
        ['bytes=66000-', version],
      ]);
    };
    await Promise.all([check(ETAG, ETAG.ETag), check({ 'Last-Modified': modified }, modified)]);
  });

  it('starts from the first byte if the file may have changed', async () => {
    const whole: Answering = (response, request) =>
      interrupted(request.headers.range ? 0 : 1)(response, { ...request, headers: {} });
    for (const answer of [interrupted(1, {}), interrupted(1, { ETag: 'W/"v1"' }), whole]) {
      const server = await serve(answer);
      expect(await failureOf(server.url)).to.include({ failure: 'cut_off', retries: 'yes' });
    }
  });

  it('sends the headers to the first origin only, also if that is redirected to again', async () => {
    const own: (string | undefined)[] = [];
    const other = await serve((response, { headers }) => {
      own.push(headers.authorization);
      response.writeHead(302, { Location: `${first.url}/end` }).end();
    }, '127.0.0.2');
    const first = await serve((response, { path, headers }: ReceivedRequest) => {
      own.push(headers.authorization);
      if (path === '/end') response.end(FILE);
      else response.writeHead(307, { Location: path === '/start' ? '/next' : other.url }).end();
    });
    const headers = { Authorization: 'Basic secret' };
    expect(await download(`${first.url}/start`, { headers })).to.deep.equal(FILE);
    expect(own).to.deep.equal(['Basic secret', 'Basic secret', undefined, undefined]);
  });

  const refusedHops = [
    ['an address of the inner network', 'http://10.0.0.1/?secret', 'blocked_address'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/secret', 'blocked_address'],
    ['an IPv4 address in IPv6', 'http://[::ffff:10.0.0.1]/secret', 'blocked_address'],
    ['another address of this machine', 'http://127.0.0.3:8080/secret', 'blocked_address'],
    ['a file', 'file:///etc/secret', 'redirect'],
    ['a port of another protocol', 'http://127.0.0.1:25/secret', 'redirect'],
    ['nothing', '', 'redirect'],
    ['itself', '/secret', 'redirect'],
  ] as const;
  for (const [what, location, failure] of refusedHops) {
    it(`does not follow a redirect to ${what}`, async () => {
      const server = await serve(location === '' ? (response) => response.writeHead(302).end() : redirectTo(location));
      expect(await failureOf(server.url)).to.include({ failure, retries: 'never' });
    });
  }

  const limits = [
    [
      'larger than allowed by its header',
      (response) => response.writeHead(200, { 'Content-Length': 2_000_000 }).flushHeaders(),
      'too_large',
    ],
    [
      'larger than allowed without a header',
      (response) => void response.writeHead(200).write(Buffer.alloc(1_100_000)),
      'too_large',
    ],
    ['silent before its headers', () => undefined, 'timeout'],
    [
      'silent within its body',
      (response) => void response.writeHead(200, { 'Content-Length': 9 }).write('a'),
      'timeout',
    ],
  ] as const satisfies [string, Answering, string][];
  for (const [what, answer, failure] of limits) {
    it(`ends if the recording is ${what}`, async () => {
      const server = await serve(answer);
      expect((await failureOf(server.url)).failure).to.equal(failure);
    });
  }

  it('is complete for files of 64 to 200 kB that the host sends at once before it closes the connection, with and without an ETag', async () => {
    for (const bytes of [64, 65.536, 66, 90, 128, 131.072, 150, 200].map((kB) => kB * 1_000)) {
      for (const etag of [undefined, '"v1"']) {
        const file = Buffer.alloc(bytes, 7);
        const requests: string[] = [];
        // Without `Connection: close`, on which the client could otherwise rely.
        const host = createServer((socket) =>
          socket
            .on('error', () => undefined)
            .once('data', (data) => {
              requests.push(String(data));
              const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes}\r\n${etag ? `ETag: ${etag}\r\n` : ''}\r\n`;
              socket.end(Buffer.concat([Buffer.from(head), file]));
            }),
        ).listen(0, '127.0.0.1');
        await once(host, 'listening');
        const { port } = host.address() as AddressInfo;
        const { body, close } = await start({
          url: `http://127.0.0.1:${port}`,
          headers: {},
          maxBytes: 1_000_000,
          signal,
        });
        let received = 0;
        for await (const chunk of body) {
          received += chunk.length;
          // The reader is slower than the host.
          await new Promise((resolve) => setImmediate(resolve));
        }
        close();
        host.close();
        expect([received, requests.length], `${bytes} ${etag}`).to.deep.equal([bytes, 1]);
      }
    }
  });

  it('ends if the chunks of a host have far more bytes than their content', async () => {
    const inChunks = (count: number, bytes: number): Answering => {
      const chunk = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`;
      const body = `${chunk.repeat(count)}0\r\n\r\n`;
      return ({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
    };
    // 5 bytes more than each byte, and 6 more than 60.
    expect(await download((await serve(inChunks(190_000, 1))).url)).to.have.length(190_000);
    expect(await download((await serve(inChunks(50_000, 60))).url, { maxBytes: 4_000_000 })).to.have.length(3_000_000);
    const bits = { failure: 'invalid_response', retries: 'never' };
    expect(await failureOf((await serve(inChunks(300_000, 1))).url)).to.include(bits);
  });

  it('says which statuses are worth another attempt', async () => {
    for (const [status, retries] of [
      [404, 'briefly'],
      [425, 'briefly'],
      [408, 'yes'],
      [429, 'yes'],
      [503, 'yes'],
      [401, 'never'],
      [410, 'never'],
      [204, 'never'],
    ] as const) {
      const server = await serve((response) => response.writeHead(status, { 'Retry-After': '7' }).end());
      const expected = { failure: 'http_status', statusCode: status, retries, retryAfterMs: 7_000 };
      expect(await failureOf(`${server.url}/secret`)).to.deep.equal(expected);
    }
    expect(await failureOf('http://127.0.0.1:1/secret')).to.include({ failure: 'connect', retries: 'yes' });
    expect(await failureOf('https://nobody.invalid/secret')).to.include({ failure: 'dns', retries: 'yes' });
  });
});
