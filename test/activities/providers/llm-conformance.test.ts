import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import type { LlmAnswer, LlmRequest } from '../../../activities/providers/llm/provider.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { hasFlex, LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import { describeHttp, type CallOptions } from './describe-http.ts';
import {
  ANALYSIS,
  answerJson,
  answerWell,
  providerFailure,
  completeWith,
  providersFor,
  useFakeServer,
} from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';

const TEXT = JSON.stringify(ANALYSIS);

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

const requestTo = (name: LlmProviderName, fields: Partial<LlmRequest> = {}): LlmRequest => ({
  model: PROVIDERS[name].model,
  system: 'Summarize.',
  user: '=== fence ===\nclient: hello\n=== fence ===',
  schema: ANSWER_SCHEMA,
  temperature: null,
  maxOutputTokens: 1_000,
  signal: new AbortController().signal,
  ...fields,
});

for (const name of LLM_PROVIDERS) {
  const row = PROVIDERS[name];

  describe(`The language-model provider ${name}`, () => {
    const server = useFakeServer();

    const call = ({ url = server.url, timeoutMs = 60_000, ...fields }: CallOptions & Partial<LlmRequest> = {}) =>
      completeWith(providersFor(name, url, timeoutMs), name, requestTo(name, fields));
    const failure = () => providerFailure(call(), name);

    /** Returns the adapter's result for a valid response of the provider. */
    const read = (wire: Parameters<typeof answerWell>[1] = {}): Promise<LlmAnswer> => {
      server.behave(answerWell(name, { text: TEXT, ...wire }));
      return call();
    };

    describe('request', () => {
      for (const temperature of row.temperatureError ? [null, 0, 0.7] : [null, 0.7]) {
        it(`is one POST with the key, the schema, the prompt in two messages and temperature ${temperature}`, async () => {
          server.behave(answerWell(name, { text: TEXT }));
          await call({ temperature });
          expect(server.requests).to.have.length(1);
          const { method, path, headers, body } = server.requests[0]!;
          expect({ method, path }).to.deep.equal({ method: 'POST', path: row.path(row.model) });
          const { [row.auth[0]]: key, ...others } = headers;
          expect(key).to.equal(row.auth[1]);
          expect(JSON.stringify([path, others, body.toString()])).not.to.contain('test-key');
          for (const [header, value] of Object.entries({ 'content-type': /^application\/json/, ...row.headers }))
            expect(headers[header]).to.match(value);
          expect(JSON.parse(body.toString())).to.deep.equal(row.request(requestTo(name, { temperature })));
        });
      }
    });

    if (!hasFlex(name)) {
      it('is not awaited longer by an economical session, which pays the same', async () => {
        server.behave(() => undefined);
        const failure = await providerFailure(call({ timeoutMs: 500, economy: true }), name);
        expect(failure.fault).to.equal('timeout');
        expect(server.requests.at(-1)?.body.toString()).not.to.contain('service_tier');
      });
    }

    describe('answer', () => {
      it("has the text, the usage, the ID of the call and the provider's complete response", async () => {
        const { providerResponse, ...answer } = await read();
        expect(answer).to.deep.include({ text: TEXT, finish: 'complete', usage: row.usage.read });
        expect(answer.providerRequestId).to.equal('call-1');
        const wire = row.answer({ text: TEXT, usage: row.usage.wire }) as object;
        expect(JSON.parse(JSON.stringify(providerResponse))).to.deep.include(wire);
      });

      for (const { wire, read: expected } of [
        ...[undefined, ...row.absurdUsages].map((absurd) => ({ wire: absurd, read: null })),
        ...(row.sparseUsages ?? []),
      ]) {
        it(`with the usage ${JSON.stringify(wire)} has ${JSON.stringify(expected)}`, async () => {
          const { usage, text } = await read({ usage: wire });
          expect(usage).to.deep.equal(expected);
          expect(text).to.equal(TEXT);
        });
      }

      it('is marked as truncated, with and without text', async () => {
        for (const text of ['{"summary_text":"A par', '']) {
          expect(await read({ text, finish: 'truncated' })).to.include({ text, finish: 'truncated' });
        }
      });

      it('that is prose is returned unchanged', async () => {
        const text = 'The client waits for a parcel.';
        expect((await read({ text })).text).to.equal(text);
      });

      row.refusals.forEach((refusal, index) => {
        it(`that declines is a permanent refusal with its usage (form ${index + 1})`, async () => {
          server.behave(answerJson(200, refusal));
          const { fault, isFinal, details } = await failure();
          expect([fault, isFinal]).to.deep.equal(['refused', true]);
          expect(details.usage).to.include({ output_tokens: 20 });
          expect(details.usage?.input_tokens).to.be.within(100, 1_000);
          expect(server.requests).to.have.length(1);
        });
      });

      it('with an ID that is not text, or that PostgreSQL cannot store, is still valid', async () => {
        for (const id of [42, {}, 'a\u0000b\ud83d']) {
          server.behave(answerJson(200, { ...(row.answer({ text: TEXT }) as object), id, responseId: id }));
          const { providerRequestId } = await call();
          expect(providerRequestId ?? '')
            .to.be.a('string')
            .and.not.match(/\0|\ud83d/);
        }
      });
    });

    describeHttp({
      name,
      server,
      call,
      answer: row.answer({ text: TEXT, usage: row.usage.wire }),
      error: row.error,
      maxBytes: 16 * 1024 * 1024,
      nonsense: NONSENSE_ANSWERS,
      unread: 'unavailable',
    });

    describe('error', () => {
      for (const { status, body } of row.delayErrors) {
        it(`with HTTP ${status} and a wait in its body has that wait`, async () => {
          server.behave(answerJson(status, body));
          expect((await failure()).details.retryAfterMs).to.equal(7_000);
        });
      }

      it('with retry-after-ms and Retry-After has the longer wait', async () => {
        for (const [exact, seconds, waitMs] of [
          ['4000', '9', 9_000],
          ['9500', '9', 9_500],
          ['4000', '', 4_000],
        ] as const) {
          server.behave(answerJson(429, row.error(429), { 'retry-after-ms': exact, 'Retry-After': seconds }));
          expect((await failure()).details.retryAfterMs).to.equal(waitMs);
        }
      });
    });
  });
}

describe('The language-model providers', () => {
  const server = useFakeServer();

  it("wait longer for the headers than the process's own fetch, which stops after 300 s", async () => {
    const dispatcher = getGlobalDispatcher();
    setGlobalDispatcher(new Agent({ headersTimeout: 1 }));
    try {
      // undici checks its timers only once a second.
      server.behave((response, request) => {
        const name = LLM_PROVIDERS.find((each) => request.path.startsWith(`/${each}/`))!;
        setTimeout(() => answerWell(name, { text: TEXT })(response, request), 2_500);
      });
      const answers = LLM_PROVIDERS.map((name) =>
        completeWith(providersFor(name, `${server.url}/${name}`, 60_000), name, requestTo(name)),
      );
      for (const { text } of await Promise.all(answers)) expect(text).to.equal(TEXT);
    } finally {
      setGlobalDispatcher(dispatcher);
    }
    expect(server.requests).to.have.length(LLM_PROVIDERS.length);
  });
});
