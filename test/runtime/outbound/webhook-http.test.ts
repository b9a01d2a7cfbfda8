import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { UnresolvedHostError } from '../../../runtime/outbound/resolve-host.ts';
import { createAddressGuard, type AddressGuard } from '../../../runtime/outbound/address-guard.ts';
import {
  createWebhookHttp,
  MAX_RESPONSE_BYTES,
  type WebhookExchange,
  type WebhookHttp,
  type WebhookRequest,
} from '../../../runtime/outbound/webhook-http.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver, type Answering, type Receiver } from '../../support/receiver.ts';
import { SELF_SIGNED } from './self-signed.ts';

const LOOPBACK = createAddressGuard(['127.0.0.0/8', 'localhost', '::1']);

describe('One POST to a webhook', () => {
  const open: { stop(): Promise<unknown> }[] = [];
  let http: WebhookHttp;
  before(() => {
    http = createWebhookHttp(LOOPBACK);
  });

  afterEach(() => Promise.all(open.splice(0).map((server) => server.stop())));

  async function receiver(answer?: Answering): Promise<Receiver> {
    const started = await startReceiver(answer);
    open.push(started);
    return started;
  }

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    open.push({
      stop: () => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    return (server.address() as AddressInfo).port;
  }

  const post = (url: string, fields: Partial<WebhookRequest> = {}, via = http): Promise<WebhookExchange> =>
    via.post({
      url,
      headers: { 'Content-Type': 'application/json', 'X-Test': 'yes' },
      body: '{"a":"ü"}',
      timeoutMs: 5_000,
      signal: new AbortController().signal,
      ...fields,
    });

  async function via<T>(guard: AddressGuard, run: (other: WebhookHttp) => Promise<T>): Promise<T> {
    const other = createWebhookHttp(guard);
    return run(other);
  }

  it('sends the given bytes and headers once, and requests no compression', async () => {
    const { url, requests } = await receiver();
    expect(await post(`${url}/hook?a=1`)).to.deep.include({ failure: null, status_code: 200, response_body: '' });
    expect(requests).to.have.length(1);
    const [{ method, path, headers, body }] = requests as [(typeof requests)[0]];
    expect([method, path, body.toString()]).to.deep.equal(['POST', '/hook?a=1', '{"a":"ü"}']);
    expect(headers).to.include({ 'content-type': 'application/json', 'x-test': 'yes', 'accept-encoding': 'identity' });
    expect(headers['content-length']).to.equal('10');
  });

  it('reads the body in the encoding that the header, the page or its byte order mark names', async () => {
    const page = '<html><head><meta charset="windows-1251"></head>Ошибка 1С';
    const encoded = Buffer.from(
      [...page].map((letter) => {
        const code = letter.codePointAt(0) ?? 0;
        return code < 128 ? code : code - 0x350;
      }),
    );
    const utf16 = Buffer.from('\ufeffОшибка', 'utf16le');
    for (const [type, body, shown] of [
      ['text/html', encoded, page],
      ['text/html; charset=Windows-1251', encoded, page],
      [
        'application/xml',
        Buffer.concat([Buffer.from("<?xml version='1.0' encoding='windows-1251'?>"), encoded.subarray(-9)]),
        "<?xml version='1.0' encoding='windows-1251'?>Ошибка 1С",
      ],
      ['text/plain', utf16, 'Ошибка'],
      ['text/plain; charset="koi8-r"', Buffer.from([0xef, 0xdb]), 'Ош'],
      ['text/plain; charset=utf8mb4', Buffer.from('Ошибка'), 'Ошибка'],
      ['application/json', Buffer.from('{"encoding=windows-1251": "Ошибка"}'), '{"encoding=windows-1251": "Ошибка"}'],
      [undefined, Buffer.from('Ошибка'), 'Ошибка'],
    ] as const) {
      const { url } = await receiver((response) => response.writeHead(500, type && { 'Content-Type': type }).end(body));
      expect((await post(url)).response_body, type).to.equal(shown);
    }
  });

  for (const [failure, statuses] of [
    [null, [200, 201, 202, 204]],
    ['http_status', [400, 401, 404, 410, 429, 500, 503]],
    ['redirect', [301, 302, 303, 307, 308]],
  ] as const) {
    it(`with HTTP ${statuses.join(', ')} has the failure ${failure}, keeps the response, and follows no redirect`, async () => {
      const target = await receiver();
      for (const status of statuses) {
        const body = status === 204 ? '' : 'text';
        const headers = { 'X-Why': 'so', ...(failure === 'redirect' && { Location: target.url }) };
        const { url } = await receiver((response) => response.writeHead(status, headers).end(body));
        const exchange = await post(url);
        expect(exchange).to.include({ failure, status_code: status, response_body: body });
        expect(exchange.response_headers).to.include({ 'x-why': 'so' });
      }
      expect(target.requests).to.have.length(0);
    });
  }

  describe('fails', () => {
    it('as timeout if no headers arrive', async () => {
      const { url } = await receiver(() => undefined);
      expect(await post(url, { timeoutMs: 200 })).to.include({ failure: 'timeout', status_code: null });
    });

    it('as timeout if the body is incomplete, and keeps the received part', async () => {
      const { url } = await receiver((response) => {
        response.writeHead(200).write('x');
        const drip = setInterval(() => response.write('x'), 200);
        response.on('close', () => clearInterval(drip));
      });
      const exchange = await post(url, { timeoutMs: 3_000 });
      expect(exchange).to.include({ failure: 'timeout', status_code: 200 });
      expect(exchange.response_body).to.match(/^x+$/);
    });

    it('as timeout if the TLS handshake hangs', async () => {
      const port = await listen(createServer((socket) => socket.on('error', () => undefined).resume()));
      expect(await post(`https://127.0.0.1:${port}`, { timeoutMs: 300 })).to.include({ failure: 'timeout' });
    });

    it('as timeout if the name is not resolved in time', async () => {
      const neverResolves: AddressGuard = { resolve: () => new Promise(() => undefined) };
      const exchange = await via(neverResolves, (other) => post('http://slow.example', { timeoutMs: 200 }, other));
      expect(exchange).to.include({ failure: 'timeout', status_code: null });
    });

    it('as dns if the name does not exist', async () => {
      const noSuchHost: AddressGuard = { resolve: () => Promise.reject(new UnresolvedHostError('none')) };
      const exchange = await via(noSuchHost, (other) => post('http://no-such-host.example', {}, other));
      expect(exchange).to.include({ failure: 'dns', status_code: null });
    });

    it('as tls with the reason as the code', async () => {
      const codeAt = async (port: number) => {
        const { failure, failure_code } = await post(`https://127.0.0.1:${port}`);
        return [failure, failure_code];
      };
      expect(await codeAt(Number(new URL((await receiver()).url).port)), 'no TLS').to.deep.equal([
        'tls',
        'WRONG_VERSION_NUMBER',
      ]);
      for (const [alert, code] of [
        [40, 'ALERT_HANDSHAKE_FAILURE'],
        [70, 'ALERT_PROTOCOL_VERSION'],
        [112, 'UNRECOGNIZED_NAME'],
        [116, 'ALERT_CERTIFICATE_REQUIRED'],
      ] as const) {
        const refusing = createServer((socket) => {
          socket.on('error', () => undefined).once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, alert])));
        });
        expect(await codeAt(await listen(refusing))).to.deep.equal(['tls', code]);
      }
    });

    it('as tls if the receiver has an untrusted certificate', async () => {
      let asked = 0;
      const port = await listen(createHttpsServer(SELF_SIGNED, (_request, response) => (asked++, response.end())));
      for (const host of ['127.0.0.1', 'localhost']) {
        expect(await post(`https://${host}:${port}`), host).to.include({ failure: 'tls', status_code: null });
      }
      expect(asked).to.equal(0);
    });

    it('as blocked_address for a denied address or name, without a connection', async () => {
      let connections = 0;
      const port = await listen(createServer(() => (connections += 1)));
      await via(createAddressGuard([]), async (other) => {
        for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '127.1']) {
          const exchange = await post(`http://${host}:${port}`, {}, other);
          expect(exchange, host).to.include({ failure: 'blocked_address', status_code: null });
        }
      });
      expect(connections).to.equal(0);
    });
  });

  it('connects to the checked address even if the name changes afterwards, with one lookup', async () => {
    const { url, requests } = await receiver();
    let checks = 0;
    const rebinding: AddressGuard = {
      resolve: async () => [{ address: ++checks === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }],
    };
    const host = `consumer.example:${new URL(url).port}`;
    const exchange = await via(rebinding, (other) => post(`http://${host}`, {}, other));
    expect(exchange).to.include({ failure: null, status_code: 200 });
    expect([checks, ...requests.map(({ headers }) => headers.host)]).to.deep.equal([1, host]);
  });

  describe('keeps, of the response body,', () => {
    it('16 KiB, and reports whether there was more', async () => {
      for (const [extra, isCut] of [
        [0, false],
        [1, true],
      ] as const) {
        const { url } = await receiver((response) => response.end(Buffer.alloc(MAX_RESPONSE_BYTES + extra, 'a')));
        const exchange = await post(url);
        expect(exchange).to.include({ failure: null, response_truncated: isCut });
        expect(exchange.response_body).to.equal('a'.repeat(16_384));
      }
    });

    it('the beginning if the body never ends, and closes the connection', async () => {
      let sent: ServerResponse | undefined;
      const { url } = await receiver((response) => {
        sent = response;
        const pump = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
        };
        response.on('drain', pump);
        pump();
      });
      expect(await post(url)).to.include({ failure: null, status_code: 200, response_truncated: true });
      await eventually(() => sent?.destroyed === true, Boolean);
    });

    it('the compressed bytes without decompression', async () => {
      const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
      const { url } = await receiver((response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
      const exchange = await post(url);
      expect(exchange).to.include({ failure: null, response_truncated: true });
      expect(exchange.response_body!.length).to.be.at.most(16_384);
      expect(exchange.response_body).not.to.contain('aaaa');
    });

    it('text that PostgreSQL can store', async () => {
      const bytes = Buffer.concat([Buffer.from([0, 1, 0xff, 0xfe, 0xed, 0xa0, 0x80]), Buffer.from('ü')]);
      const { url } = await receiver((response) => response.end(bytes));
      const { response_body } = await post(url);
      expect(response_body).to.match(/^\uFFFD\u0001\uFFFD+ü$/);
      expect(response_body?.isWellFormed()).to.equal(true);
    });
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const asked = Promise.withResolvers<ServerResponse>();
    const { url } = await receiver(asked.resolve);
    const thrown = post(url, { signal: controller.signal }).catch((error: unknown) => error);
    const closed = once(await asked.promise, 'close');
    controller.abort(new Error('shutting down'));
    expect(await thrown).to.equal(controller.signal.reason);
    await closed;
  });
});
