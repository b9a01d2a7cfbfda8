import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { ANSWER_SCHEMA } from '../../../activities/vendors/llm/answer-schema.ts';
import type { LlmAnswer, LlmProvider, LlmRequest } from '../../../activities/vendors/llm/provider.ts';
import { VendorError } from '../../../activities/vendors/vendor-error.ts';
import { LLM_PROVIDERS } from '../../../contract/constants.ts';
import type { VendorFault } from '../../../contract/constants.ts';
import { eventually } from '../../support/eventually.ts';
import { describeCancellation } from './describe-cancellation.ts';
import { ANALYSIS, answerJson, answerWell, closedPort, providersFor, startFakeVendor } from './fake-vendor.ts';
import type { FakeVendor } from './fake-vendor.ts';
import { VENDORS } from './llm-vendors.ts';

const TEXT = JSON.stringify(ANALYSIS);
const CAP_BYTES = 16 * 1024 * 1024;

const FAULT_OF_STATUS: Record<number, VendorFault> = {
  400: 'bad_input',
  401: 'auth',
  402: 'quota_exceeded',
  403: 'auth',
  404: 'bad_input',
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
  '{"error":{"message":null,"code":{},"type":[],"param":7,"details":"none"}}',
  '{"error":{"message":"no","details":[null,7,{"retryDelay":7}]}}',
];

const NONSENSE_ANSWERS = [
  'null',
  '[]',
  '{}',
  '42',
  '"hello"',
  '{"choices":null,"content":null,"candidates":null}',
  '{"choices":[],"content":[],"candidates":[]}',
  '{"choices":[null],"content":[null],"candidates":[null]}',
  '{"choices":[{"message":{"content":42}}],"content":[{"type":"text","text":42}],"candidates":[{"content":{"parts":42}}]}',
  '{"choices":[{"message":{"content":{}}}],"content":[{"type":"text","text":{}}],"candidates":[{"content":{"parts":[]}}]}',
];

for (const name of LLM_PROVIDERS) {
  const row = VENDORS[name];

  describe(`The language-model vendor ${name}`, () => {
    let vendor: FakeVendor;
    before(async () => {
      vendor = await startFakeVendor(name);
    });
    after(() => vendor.stop());

    const request = (fields: Partial<LlmRequest> = {}): LlmRequest => ({
      model: row.model,
      system: 'Summarise.',
      user: '=== fence ===\nclient: hello\n=== fence ===',
      schema: ANSWER_SCHEMA,
      temperature: null,
      maxOutputTokens: 1_000,
      signal: new AbortController().signal,
      ...fields,
    });

    const ask = (fields?: Partial<LlmRequest>): Promise<LlmAnswer> => vendor.provider.complete(request(fields));

    async function failure(provider: LlmProvider = vendor.provider): Promise<VendorError> {
      const error = await provider.complete(request()).then(
        () => expect.fail('the call succeeded'),
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof VendorError)) throw new Error('not a VendorError', { cause: error });
      expect(error.details.provider).to.equal(name);
      expect(error.message).not.to.contain('secret words');
      return error;
    }

    describe('request', () => {
      for (const temperature of row.temperatureError ? [null, 0, 0.7] : [null, 0.7]) {
        it(`is one POST with the key, the schema, the prompt in two messages and temperature ${temperature}`, async () => {
          vendor.behave(answerWell(name, { text: TEXT }));
          const prompt = request({ temperature });
          await vendor.provider.complete(prompt);
          expect(vendor.requests).to.have.length(1);
          const { method, path, headers, body } = vendor.requests[0]!;
          expect({ method, path }).to.deep.equal({ method: 'POST', path: row.path(row.model) });
          expect(headers[row.auth[0]]).to.equal(row.auth[1]);
          expect(headers['content-type']).to.match(/^application\/json/);
          for (const [header, value] of Object.entries(row.headers ?? {}))
            expect(headers[header]).to.match(value as RegExp);
          expect(JSON.parse(body.toString())).to.deep.equal(row.request(prompt));
        });
      }

      it('shows the key in no header but its own, and not in the URL', async () => {
        vendor.behave(answerWell(name, { text: TEXT }));
        await ask();
        const { path, headers, body } = vendor.requests[0]!;
        const { [row.auth[0]]: _key, ...others } = headers;
        expect(JSON.stringify([path, others, body.toString()])).not.to.contain('test-key');
      });
    });

    describe('answer', () => {
      it('gives text, usage, the id of the call and the whole response of the vendor', async () => {
        const wire = row.answer({ text: TEXT, usage: row.usage.wire }) as object;
        vendor.behave(answerWell(name, { text: TEXT }));
        const { text, isTruncated, usage, vendorRequestId, vendorResponse } = await ask();
        expect({ text, isTruncated, usage, vendorRequestId }).to.deep.equal({
          text: TEXT,
          isTruncated: false,
          usage: row.usage.read,
          vendorRequestId: 'call-1',
        });
        expect(JSON.parse(JSON.stringify(vendorResponse))).to.deep.include(wire);
      });

      it('without usage has none', async () => {
        vendor.behave(answerWell(name, { text: TEXT, usage: undefined }));
        expect((await ask()).usage).to.equal(null);
      });

      for (const usage of row.absurdUsages) {
        it(`with the usage ${JSON.stringify(usage)} has none`, async () => {
          vendor.behave(answerWell(name, { text: TEXT, usage }));
          const answer = await ask();
          expect(answer.usage).to.equal(null);
          expect(answer.text).to.equal(TEXT);
        });
      }

      it('that was cut off says so, with and without text', async () => {
        for (const text of ['{"summary_text":"A par', '']) {
          vendor.behave(answerWell(name, { text, finish: 'truncated' }));
          const answer = await ask();
          expect(answer.isTruncated).to.equal(true);
          expect(answer.text).to.equal(text);
        }
      });

      it('in prose is passed on as it is', async () => {
        vendor.behave(answerWell(name, { text: 'The client waits for a parcel.' }));
        expect((await ask()).text).to.equal('The client waits for a parcel.');
      });

      row.refusals.forEach((refusal, index) => {
        it(`that declines is refused, and what it used is known (form ${index + 1})`, async () => {
          vendor.behave(answerJson(200, refusal));
          const error = await failure();
          expect(error.fault).to.equal('refused');
          expect(error.isFinal).to.equal(true);
          expect(error.details.usage).to.include({ input_tokens: 100, output_tokens: 20 });
          expect(vendor.requests).to.have.length(1);
        });
      });

      for (const body of NONSENSE_ANSWERS) {
        it(`of ${body} is the vendor's fault, to be tried again`, async () => {
          vendor.behave(answerJson(200, body));
          expect((await failure()).fault).to.equal('unavailable');
          expect(vendor.requests).to.have.length(1);
        });
      }

      it('with an id that is no text, or that no database stores, is still an answer', async () => {
        for (const id of [42, {}, 'a\u0000b\ud83d']) {
          vendor.behave(answerJson(200, { ...(row.answer({ text: TEXT }) as object), id, responseId: id }));
          const { vendorRequestId } = await ask();
          if (vendorRequestId !== null)
            expect(vendorRequestId)
              .to.be.a('string')
              .and.not.match(/\0|\ud83d/);
        }
      });
    });

    describe('error', () => {
      for (const [status, fault] of Object.entries(FAULT_OF_STATUS)) {
        it(`HTTP ${status} is ${fault}, after one call`, async () => {
          vendor.behave(answerJson(Number(status), row.error(Number(status))));
          const error = await failure();
          expect(error.fault).to.equal(fault);
          expect(error.details.httpStatus).to.equal(Number(status));
          expect(error.details.retryAfterMs).to.equal(undefined);
          expect(vendor.requests).to.have.length(1);
        });
      }

      it('is still told from its status when its body is nonsense', async () => {
        for (const body of NONSENSE_ERRORS) {
          vendor.behave(answerJson(429, body));
          const error = await failure();
          expect([error.fault, error.details.httpStatus], body).to.deep.equal(['rate_limited', 429]);
        }
      });

      for (const status of [429, 503]) {
        it(`HTTP ${status} with Retry-After gives the wait, in seconds or as a date, and is not repeated by the SDK`, async () => {
          vendor.behave(answerJson(status, row.error(status), { 'Retry-After': '7', 'x-should-retry': 'true' }));
          expect((await failure()).details.retryAfterMs).to.equal(7_000);
          expect(vendor.requests).to.have.length(1);
          const date = new Date(Date.now() + 60_000).toUTCString();
          vendor.behave(answerJson(status, row.error(status), { 'Retry-After': date }));
          expect((await failure()).details.retryAfterMs).to.be.within(30_000, 60_000);
        });
      }

      it('without a usable Retry-After gives no wait', async () => {
        for (const value of ['soon', '-5', '0', 'Infinity', '']) {
          vendor.behave(answerJson(429, row.error(429), { 'Retry-After': value }));
          expect((await failure()).details.retryAfterMs, value).to.equal(undefined);
        }
      });

      for (const { status, body } of row.delayErrors) {
        it(`HTTP ${status} with a wait in its body gives the wait`, async () => {
          vendor.behave(answerJson(status, body));
          expect((await failure()).details.retryAfterMs).to.equal(7_000);
        });
      }

      for (const { status, body, fault } of row.accountErrors) {
        it(`HTTP ${status} for the account's sake is final`, async () => {
          vendor.behave(answerJson(status, body));
          const error = await failure();
          expect([error.fault, error.isFinal]).to.deep.equal([fault, true]);
        });
      }

      it('that names the temperature is told apart', async () => {
        vendor.behave(answerJson(400, row.error(400)));
        expect((await failure()).details.refusesTemperature ?? false).to.equal(false);
        if (!row.temperatureError) return;
        vendor.behave(answerJson(row.temperatureError.status, row.temperatureError.body));
        expect((await failure()).details.refusesTemperature).to.equal(true);
      });
    });

    describe('connection', () => {
      it('with no answer within the time-out is a time-out', async () => {
        vendor.behave(() => undefined);
        expect((await failure(vendor.providerWithin(1_000))).fault).to.equal('timeout');
        expect(vendor.requests).to.have.length(1);
      });

      it('whose body hangs after its headers is a time-out, and its socket is closed', async () => {
        let sent: ServerResponse | undefined;
        vendor.behave((response) => {
          sent = response;
          response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
        });
        expect((await failure(vendor.providerWithin(1_000))).fault).to.equal('timeout');
        await eventually(() => sent?.destroyed === true, Boolean);
      });

      it('that is refused is unavailable', async () => {
        const provider = providersFor(name, `http://127.0.0.1:${await closedPort()}`, 5_000)[name];
        const error = await failure(provider);
        expect([error.fault, error.details.httpStatus ?? null]).to.deep.equal(['unavailable', null]);
      });

      it('that is reset before or in the middle of the answer is unavailable', async () => {
        vendor.behave((response) => response.socket?.resetAndDestroy());
        expect((await failure()).fault).to.equal('unavailable');
        expect(vendor.requests).to.have.length(1);
        vendor.behave((response) => {
          response.writeHead(200, { 'Content-Length': '1000', 'Content-Type': 'application/json' });
          response.write('{', () => response.socket?.resetAndDestroy());
        });
        expect((await failure()).fault).to.equal('unavailable');
        expect(vendor.requests).to.have.length(1);
      });

      for (const [title, body] of [
        ['empty', ''],
        ['cut off', TEXT.slice(0, 20)],
        ['not JSON', '<html>hello</html>'],
      ]) {
        it(`that gives a body that is ${title} is unavailable, and nothing of it is shown`, async () => {
          vendor.behave(answerJson(200, body));
          const error = await failure();
          expect(error.fault).to.equal('unavailable');
          expect(error.message).to.equal(`${name} sent an answer that could not be read`);
          expect(vendor.requests).to.have.length(1);
        });
      }

      it('that never stops sending is given up, and its socket is closed', async () => {
        let closed = false;
        vendor.behave((response) => {
          response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"a":"');
          const pump = () => {
            while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
          };
          response.on('drain', pump).on('close', () => (closed = true));
          pump();
        });
        expect((await failure()).fault).to.equal('unavailable');
        await eventually(() => closed, Boolean);
      });

      it('that gives more than 16 MiB after decompression is given up', async () => {
        const bomb = gzipSync(JSON.stringify(row.answer({ text: 'a'.repeat(CAP_BYTES) })));
        expect(bomb.length).to.be.lessThan(100_000);
        vendor.behave((response) => {
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bomb);
        });
        expect((await failure()).fault).to.equal('unavailable');
      });
    });

    describeCancellation({ server: () => vendor, ask, answersWell: answerWell(name, { text: TEXT }) });
  });
}
