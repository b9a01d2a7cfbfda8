import { createServer, type AddressInfo, type Socket } from 'node:net';
import { getDefaultAutoSelectFamily, setDefaultAutoSelectFamily } from 'node:net';
import type { AddressGuard } from '../../../runtime/outbound/address-guard.ts';
import { createAudioDownload } from '../../../runtime/outbound/audio-download.ts';
import { createWebhookHttp } from '../../../runtime/outbound/webhook-http.ts';
import { freePort } from '../../support/free-port.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startSlowServer } from '../../support/slow-server.ts';
import { stopAfterTest } from '../../support/stop-after-test.ts';

const { signal } = new AbortController();
const NEVER_MS = 60_000;

/** Returns a guard that resolves every name to these addresses. */
const resolving = (...addresses: string[]): AddressGuard => ({
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

const post = (url: string, guard = resolving('127.0.0.1')) =>
  createWebhookHttp(guard).post({ url, headers: {}, body: '{}', timeoutMs: 60_000, signal });

/** Starts a server that sends these bytes to each request, and counts the requests. */
async function startRaw(bytes: string) {
  const open = new Set<Socket>();
  const state = { requests: 0 };
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      state.requests += 1;
      socket.end(bytes, 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return Object.assign(state, {
    url,
    stop() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  });
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const EARLY = 'HTTP/1.1 103 Early Hints\r\n\r\n';

describe('A receiver', () => {
  describe('with several addresses gets the request', () => {
    for (const isSelecting of [true, false]) {
      it(`if one is slow or silent and others refuse, with Node's address selection ${isSelecting ? 'on' : 'off'}`, async () => {
        const before = getDefaultAutoSelectFamily();
        setDefaultAutoSelectFamily(isSelecting);
        try {
          const slow = await stopAfterTest(startSlowServer('127.0.0.2', 500));
          const well = await stopAfterTest(startReceiver(undefined, '127.0.0.4'));
          const [slowPort, wellPort] = [slow.port, Number(new URL(well.url).port)];
          const silent = await stopAfterTest(startSlowServer('127.0.0.3', NEVER_MS, wellPort));
          expect(silent.port).to.equal(wellPort);
          const cases: [string, number, string[]][] = [
            ['slow', slowPort, ['127.0.0.2']],
            ['slow, and IPv6 refuses', slowPort, ['127.0.0.2', '::1']],
            ['IPv6 has no route, and slow', slowPort, ['2001:db8::1', '127.0.0.2']],
            ['silent, and one works', wellPort, ['127.0.0.3', '127.0.0.4']],
            ['one refuses, and one works', wellPort, ['127.0.0.5', '127.0.0.4']],
            ['one works', wellPort, ['127.0.0.4']],
          ];
          const results = cases.map(async ([title, port, addresses]) => {
            const { failure, failure_code } = await post(`http://far.example.com:${port}/`, resolving(...addresses));
            return [title, failure, failure_code];
          });
          expect(await Promise.all(results)).to.deep.equal(cases.map(([title]) => [title, null, null]));
          const download = await createAudioDownload(resolving('127.0.0.3', '127.0.0.4'))({
            ...{ url: well.url.replace('127.0.0.4', 'far.example.com'), headers: {}, maxBytes: 100, signal },
          });
          download.close();
        } finally {
          setDefaultAutoSelectFamily(before);
        }
      });
    }
  });

  it('gets the request once, whatever interim responses it sends', async () => {
    for (const [interim, status] of [
      ['HTTP/1.1 100 Continue\r\n\r\n', 200],
      [
        'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
        200,
      ],
      ['', 200],
    ] as const) {
      const receiver = await stopAfterTest(startRaw(interim + OK));
      const exchange = await post(receiver.url);
      expect(exchange, interim).to.include({ failure: null, status_code: status, response_body: 'ok' });
      expect(receiver.requests).to.equal(1);
      const download = await createAudioDownload(resolving('127.0.0.1'))({
        ...{ url: receiver.url, headers: {}, maxBytes: 100, signal },
      });
      expect(download.bytesTotal).to.equal(2);
      download.close();
    }
  });

  const cases: [title: string, bytes: string, failure: string, code: string][] = [
    ['headers that end with LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'invalid_response', 'HPE_'],
    ['a blank in a header name', 'HTTP/1.1 200 OK\r\nX Powered By: PHP\r\n\r\n', 'invalid_response', 'HPE_'],
    ['text before the status line', `<b>Warning</b>\r\n${OK}`, 'invalid_response', 'HPE_'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', 'invalid_response', 'HPE_'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      'invalid_response',
      'HPE_',
    ],
    [
      'headers of 20 KB',
      `HTTP/1.1 200 OK\r\nSet-Cookie: a=${'x'.repeat(20_000)}\r\n\r\n`,
      'invalid_response',
      'HPE_HEADER_OVERFLOW',
    ],
    ['a TLS record', '\x15\x03\x01\x00\x02\x02\x46', 'invalid_response', 'HPE_'],
    ['HTTP/2', '\x00\x00\x12\x04\x00\x00\x00\x00\x00', 'invalid_response', 'HPE_'],
    ['another protocol', 'SSH-2.0-x\r\n', 'invalid_response', 'HPE_'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'invalid_response', 'HPE_'],
    [
      'another protocol on request',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      'invalid_response',
      'UNEXPECTED_UPGRADE',
    ],
    ['21 interim responses', `${EARLY.repeat(21)}${OK}`, 'invalid_response', 'TOO_MANY_INTERIM'],
    ['nothing', '', 'connection_closed', 'ECONNRESET'],
    ['half of the headers', 'HTTP/1.1 200 OK\r\nContent-', 'connection_closed', 'ECONNRESET'],
    ['half of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok', 'connection_closed', 'ECONNRESET'],
  ];
  for (const [title, bytes, failure, code] of cases) {
    it(`that sends ${title} has the failure ${failure}, with the code of the error`, async () => {
      const receiver = await stopAfterTest(startRaw(bytes));
      const exchange = await post(receiver.url);
      expect(exchange.failure).to.equal(failure);
      expect(exchange.failure_code).to.match(new RegExp(`^${code}`));
      expect(receiver.requests).to.equal(1);
    });
  }

  it('may send 20 interim responses', async () => {
    const receiver = await stopAfterTest(startRaw(`${EARLY.repeat(20)}${OK}`));
    expect(await post(receiver.url)).to.include({ failure: null, status_code: 200 });
  });

  it('that cannot be reached has the failure connect or timeout, with the code of the system', async () => {
    const port = await freePort();
    expect(await post(`http://127.0.0.1:${port}`)).to.include({ failure: 'connect', failure_code: 'ECONNREFUSED' });
    const none = await post(`http://far.example.com:${port}`, resolving('::1', '127.0.0.1'));
    expect(none).to.include({ failure: 'connect', failure_code: 'ECONNREFUSED' });
    const silent = await stopAfterTest(startSlowServer('127.0.0.3', NEVER_MS));
    const both = await post(`http://far.example.com:${silent.port}`, resolving('127.0.0.3', '127.0.0.9'));
    expect(both).to.include({ failure: 'timeout', failure_code: 'ETIMEDOUT' });
  });

  it('of Google Apps Script has worked when it redirects to its output; other redirects are failures', async () => {
    const redirect = (location: string) => `HTTP/1.1 302 Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
    for (const [path, location, failure] of [
      ['/macros/s/x/exec', 'https://script.googleusercontent.com/macros/echo?user_content_key=k', null],
      ['/a/macros/example.com/s/x/exec', 'https://script.googleusercontent.com/macros/echo?k', null],
      ['/macros/s/x/exec', 'https://accounts.google.com/ServiceLogin', 'redirect'],
      ['/hook', 'https://script.googleusercontent.com/macros/echo', 'redirect'],
    ] as const) {
      const receiver = await stopAfterTest(startRaw(redirect(location)));
      expect(await post(receiver.url.replace('/hook', path)), path + location).to.include({
        failure,
        status_code: 302,
      });
    }
  });
});
