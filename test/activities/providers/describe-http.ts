import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { ProviderFault, ProviderName } from '../../../contract/values/constants.ts';
import { PROVIDER_FACTS } from '../../../contract/values/providers.ts';
import { freePort } from '../../support/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import { answerJson, providerFailure, type FakeServer } from './fake-provider.ts';

export interface CallOptions {
  signal?: AbortSignal;
  /** Default: the URL of the fake server. */
  url?: string;
  timeoutMs?: number;
}

interface Adapter {
  name: ProviderName;
  server: FakeServer;
  call(options?: CallOptions): Promise<unknown>;
  /** Body of a successful response. */
  answer: unknown;
  /** Body of an error. */
  error(status: number): unknown;
  /** Faults that differ from those of the other providers. */
  faults?: Record<number, ProviderFault>;
  /** Maximum size of a response in bytes, after decompression. */
  maxBytes: number;
  /** JSON that is not a valid response of this provider. */
  nonsense: readonly string[];
  /** The fault of a whole reply that cannot be read. */
  unread: ProviderFault;
}

const FAULT_OF_STATUS: Record<number, ProviderFault> = {
  400: 'bad_input',
  401: 'auth',
  402: 'quota_exceeded',
  403: 'auth',
  // It does not name a model, so the address is wrong.
  404: 'bad_input',
  405: 'bad_input',
  408: 'unavailable',
  409: 'unavailable',
  413: 'too_large',
  422: 'bad_input',
  425: 'unavailable',
  429: 'rate_limited',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
  529: 'unavailable',
};

const NONSENSE_ERRORS = [
  '',
  '<html>Bad gateway</html>',
  'null',
  '[]',
  '"no"',
  '{"error":null}',
  '{"error":"no"}',
  '{"error":[]}',
  '{"error":null,"detail":null}',
  '{"detail":[7]}',
  '{"error":{"message":null,"code":{},"type":[],"param":7,"details":"none"}}',
  '{"error":{"message":"no","details":[null,7,{"retryDelay":7}]}}',
];

const MIB = 1024 * 1024;

/** A MiB of blanks. A compressed body may consist of several parts, which make one text. */
const BLANKS = gzipSync(' '.repeat(MIB));

const UNREADABLE = ['', '{"text":"Good mor'];
const PAGE = '<html>hello</html>';

/** Tests every provider's adapter with errors, broken connections and canceled calls. */
export function describeHttp({ name, server, call, answer, error, faults, maxBytes, nonsense, unread }: Adapter): void {
  /** Returns the failure of the only request that the call makes. */
  async function failure(options?: CallOptions): Promise<ProviderError> {
    const failed = await providerFailure(call(options), name);
    expect(server.requests).to.have.length(1);
    return failed;
  }

  describe('error', () => {
    for (const [text, fault] of Object.entries({ ...FAULT_OF_STATUS, ...faults })) {
      const status = Number(text);
      it(`with HTTP ${status} is ${fault}`, async () => {
        server.behave(answerJson(status, error(status)));
        const { fault: found, details } = await failure();
        expect([found, details.httpStatus, details.retryAfterMs]).to.deep.equal([fault, status, undefined]);
      });
    }

    it('without a readable body is classified by its status', async () => {
      for (const body of NONSENSE_ERRORS) {
        server.behave(answerJson(429, body));
        const { fault, details } = await failure();
        expect([fault, details.httpStatus], body).to.deep.equal(['rate_limited', 429]);
      }
    });

    for (const status of [429, 503]) {
      it(`with HTTP ${status} and Retry-After has that wait, and the SDK does not repeat the call`, async () => {
        server.behave(answerJson(status, error(status), { 'Retry-After': '7', 'x-should-retry': 'true' }));
        expect((await failure()).details.retryAfterMs).to.equal(7_000);
        const date = new Date(Date.now() + 60_000).toUTCString();
        server.behave(answerJson(status, error(status), { 'Retry-After': date }));
        expect((await failure()).details.retryAfterMs).to.be.within(30_000, 60_000);
      });
    }

    it('with an invalid Retry-After has no wait', async () => {
      for (const value of ['soon', '-5', '0', 'Infinity', '']) {
        server.behave(answerJson(429, error(429), { 'Retry-After': value }));
        expect((await failure()).details.retryAfterMs, value).to.equal(undefined);
      }
    });

    it('is a redirect, which is not followed because it would receive the key', async () => {
      server.behave((response) => response.writeHead(307, { Location: '/elsewhere' }).end());
      expect((await failure()).fault).to.equal('unavailable');
    });

    for (const body of [...UNREADABLE, PAGE, ...nonsense]) {
      it(`is the response ${body || 'without a body'}, which is ${body === PAGE ? 'unavailable' : unread} and not shown`, async () => {
        server.behave(answerJson(200, body));
        const { fault, message } = await failure();
        expect(fault).to.equal(body === PAGE ? 'unavailable' : unread);
        if (UNREADABLE.includes(body))
          expect(message).to.contain(`${PROVIDER_FACTS[name].title} returned a response that could not be read`);
        if (body === PAGE) expect(message).to.match(/proxy or another server responded.*: check [A-Z_]+_BASE_URL/);
      });
    }
  });

  describe('connection', () => {
    it('without a response in time is a timeout', async () => {
      server.behave(() => undefined);
      expect((await failure({ timeoutMs: 2_000 })).fault).to.equal('timeout');
    });

    it('that hangs after the headers is a timeout, and is closed', async () => {
      let sent: ServerResponse | undefined;
      server.behave((response) => {
        sent = response;
        response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
      });
      expect((await failure({ timeoutMs: 2_000 })).fault).to.equal('timeout');
      await eventually(() => sent?.destroyed === true, Boolean);
    });

    it('that is refused is unavailable', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const { fault, details } = await providerFailure(call({ url }), name);
      expect([fault, details.httpStatus ?? null]).to.deep.equal(['unavailable', null]);
    });

    it('that is reset before or during the response is unavailable', async () => {
      server.behave((response) => response.socket?.resetAndDestroy());
      expect((await failure()).fault).to.equal('unavailable');
      server.behave((response) => {
        response.writeHead(200, { 'Content-Length': '1000', 'Content-Type': 'application/json' });
        response.write('{', () => response.socket?.resetAndDestroy());
      });
      expect((await failure()).fault).to.equal('unavailable');
    });

    it(`that sends more than ${maxBytes} bytes after decompression is unavailable`, async () => {
      const bomb = Buffer.concat([gzipSync(JSON.stringify(answer)), ...Array<Buffer>(maxBytes / MIB).fill(BLANKS)]);
      server.behave((response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb);
      });
      expect((await failure()).fault).to.equal('unavailable');
    });
  });

  describe('cancellation', () => {
    it('ends a running call with its own reason, and closes the connection', async () => {
      const controller = new AbortController();
      const received = new Promise<ServerResponse>((resolve) => server.behave((response) => resolve(response)));
      const thrown = call({ signal: controller.signal }).catch((reason: unknown) => reason);
      const response = await received;
      const closed = once(response, 'close');
      controller.abort(new Error('canceled by hand'));
      expect(await thrown).to.equal(controller.signal.reason);
      await closed;
      expect(server.requests).to.have.length(1);
    });

    it('before the call prevents it', async () => {
      server.behave(answerJson(200, answer));
      const reason = new Error('canceled by hand');
      const thrown = await call({ signal: AbortSignal.abort(reason) }).catch((error: unknown) => error);
      expect(thrown).to.equal(reason);
      expect(server.requests).to.have.length(0);
    });
  });
}
