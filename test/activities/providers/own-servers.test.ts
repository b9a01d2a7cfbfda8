import type { ServerResponse } from 'node:http';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import { leastTokens } from '../../../activities/providers/llm/cut-prompt.ts';
import { adapt } from '../../../activities/providers/policy/negotiate.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { ReceivedRequest } from '../../support/receiver.ts';
import { ask as askModel, newSession } from '../sessions/analysis.ts';
import {
  ANALYSIS,
  answerJson,
  answerWell,
  providerFailure,
  completeWith,
  providersFor,
  useFakeServer,
} from './fake-provider.ts';
import { loadStt, memoryJob, readForm, sttProvider, sttRequest } from './stt-call.ts';

const openAiError = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** The error message of llama-cpp-python. */
const LLAMA_CPP_PYTHON =
  "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\"}]";

/** The error messages of current and older versions of vLLM. */
const tooLargeRoom = (context: number, prompt: number) =>
  `'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is ${context} tokens and your request has ${prompt} input tokens (8192 > ${context} - ${prompt}).`;
const tooLargeSum = (context: number, prompt: number) =>
  `This model's maximum context length is ${context} tokens. However, you requested ${prompt + 8_192} tokens (${prompt} in the messages, 8192 in the completion). Please reduce the length of the messages or completion.`;

for (const [name, variable] of [
  ['openai', 'OPENAI_BASE_URL'],
  ['local', 'LOCAL_LLM_BASE_URL'],
] as const)
  describe(`The user's own server at ${variable}`, () => {
    const good = answerWell(name, { text: JSON.stringify(ANALYSIS) });
    const server = useFakeServer();
    /** The adapter remembers what the server refused, so each test has a new one. */
    let fake: ReturnType<typeof newProviders>;
    const newProviders = () => ({ ...server, providers: providersFor(name, server.url, 20_000) });
    beforeEach(() => (fake = newProviders()));

    const ask = async (conversation?: { role: string; text: string }[]): Promise<unknown> =>
      askModel(fake, await newSession(name, { llm_model: 'qwen3:8b' }, conversation), { priceOf: () => null }).catch(
        (error: unknown) => error,
      );

    const sent = () => fake.requests.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
    const boundsSent = () =>
      sent().map(({ max_tokens = null, max_completion_tokens = null }) => [max_tokens, max_completion_tokens]);

    for (const [title, message, bounds] of [
      ['both', "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", [null, 8_192]],
      [
        'max_tokens',
        "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        [null, 8_192],
      ],
      ['max_completion_tokens', 'Unknown field: max_completion_tokens', [8_192, null]],
    ] as const) {
      it(`gets one name after it refused ${title}, from then on`, async () => {
        fake.behave((...exchange) => {
          const sent = JSON.parse(exchange[1].body.toString()) as Record<string, unknown>;
          const hasRefused = title === 'both' ? 'max_tokens' in sent : title in sent;
          (hasRefused ? answerJson(400, openAiError(message)) : good)(...exchange);
        });
        expect(await ask()).to.deep.include({ raw_response: ANALYSIS });
        await ask();
        expect(boundsSent()).to.deep.equal([[8_192, 8_192], [4_096, 4_096], [2_048, 2_048], bounds, bounds]);
      });
    }

    it('may refuse both names in several concurrent first calls', async () => {
      const first: [ServerResponse, ReceivedRequest][] = [];
      fake.behave((...exchange) => {
        const bounds = JSON.parse(exchange[1].body.toString()) as Record<string, unknown>;
        if (!('max_tokens' in bounds)) return good(...exchange);
        first.push(exchange);
        const refuse = answerJson(400, openAiError("Unknown field: 'max_tokens'"));
        if (first.length === 2) first.splice(0).forEach((each) => refuse(...each));
      });
      for (const answer of await Promise.all([ask(), ask()]))
        expect(answer).to.deep.include({ raw_response: ANALYSIS });
    });

    describe('that does not support the response format', () => {
      const formats = () =>
        sent().map(({ response_format = null }) => (response_format as { type: string } | null)?.type ?? null);

      for (const [title, ...refusals] of [
        ['json_schema', answerJson(422, openAiError(LLAMA_CPP_PYTHON, { type: 'internal_server_error' }))],
        ['json_schema', answerJson(400, openAiError('This model does not support response format `json_schema`'))],
        [
          'any',
          answerJson(422, { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs are not permitted' }] }),
          answerJson(400, openAiError('response_format is not supported')),
        ],
      ] as const) {
        it(`(${title}) gets a simpler one with the schema in the instructions, from then on`, async () => {
          fake.behave(...refusals, good);
          expect(await ask()).to.deep.include({ raw_response: ANALYSIS });
          await ask();
          const last = refusals.length === 1 ? 'json_object' : null;
          expect(formats()).to.deep.equal(
            ['json_schema', 'json_object', null].slice(0, refusals.length).concat(last, last),
          );
          const [first, , repeated] = sent().map(({ messages }) => JSON.stringify(messages));
          expect(first).not.to.contain('action_items');
          expect(repeated).to.contain('action_items');
        });
      }
    });

    for (const message of [tooLargeRoom(8_192, 3_000), tooLargeSum(8_192, 3_000)]) {
      for (const body of [openAiError(message, { code: 400 }), { object: 'error', message, code: 400 }]) {
        it(`gets half of the output tokens after ${JSON.stringify(body)}`, async () => {
          fake.behave(answerJson(400, body), good);
          expect(await ask()).to.deep.include({ raw_response: ANALYSIS });
          expect(boundsSent()).to.deep.equal(Array.from([8_192, 4_096], (bound) => [bound, bound]));
        });
      }
    }

    it('whose context leaves too little for the answer is too small', async () => {
      fake.behave(answerJson(400, openAiError(tooLargeRoom(8_192, 8_000))));
      expect(await ask()).to.include({ fault: 'too_large' });
      expect(boundsSent().at(-1)).to.deep.equal([null, null]);
      const cut = answerWell(name, { text: '{"summary', finish: 'truncated' });
      fake.behave(answerJson(400, openAiError(tooLargeRoom(8_192, 3_000))), cut);
      expect(await ask()).to.include({ fault: 'too_large' });
      expect(fake.requests).to.have.length(2);
    });

    for (const [title, body] of [
      [
        'llama-server',
        openAiError('the request exceeds the available context size', { type: 'exceed_context_size_error', code: 400 }),
      ],
      [
        'vLLM',
        openAiError("This model's maximum context length is 2048 tokens. However, your request has 3000 input tokens."),
      ],
      ['a server with errors of its own form', { detail: 'prompt exceeds the context length of the model' }],
    ] as const) {
      it(`whose context is too small for the prompt causes an error that says so (${title})`, async () => {
        fake.behave(answerJson(400, body));
        const error = await ask();
        expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault: 'too_large' });
        expect((error as ProviderError).message).to.contain('choose a model with a larger context');
        expect(fake.requests).to.have.length(1);
      });
    }

    describe('that truncates the prompt silently', () => {
      const long = Array.from({ length: 400 }, (_, turn) => ({
        role: turn % 2 === 0 ? 'operator' : 'client',
        text: 'Good morning, the parcel that was promised for Tuesday has not arrived yet.',
      }));
      const counting = (prompt_tokens: number) =>
        answerWell(name, {
          text: JSON.stringify(ANALYSIS),
          usage: { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 },
        });

      it('fails the call, because the model read fewer tokens than the prompt has words', async () => {
        fake.behave(counting(4_096));
        const error = await ask(long);
        expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault: 'too_large' });
        expect((error as ProviderError).message).to.match(/^(OpenAI|Local server) read 4096 of at least \d{4} tokens/);
        expect(fake.requests).to.have.length(1);
      });

      it('is not assumed if it reads all tokens, or does not count them', async () => {
        for (const tokens of [7_600, 0]) {
          fake.behave(counting(tokens));
          expect(await ask(long)).to.deep.include({ raw_response: ANALYSIS });
        }
      });

      it('is detected by the number of words and of the punctuation after them', () => {
        expect(leastTokens('Hello, my parcel is late.')).to.equal(7);
        expect(leastTokens('See https://example.com/a/b?c=d and obj.name() === x')).to.equal(7);
        expect(leastTokens('=== --- ...\n')).to.equal(3);
        expect(leastTokens('')).to.equal(0);
        expect(leastTokens('我想退款申请。'.repeat(300))).to.equal(600);
        expect(leastTokens('Электронная почта '.repeat(10))).to.equal(36);
      });
    });
  });

for (const [name, variable] of [
  ['whisper', 'WHISPER_BASE_URL'],
  ['local', 'LOCAL_STT_BASE_URL'],
] as const)
  describe(`The user's own server at ${variable}`, () => {
    const server = useFakeServer();

    const formats = async () => {
      const forms = await Promise.all(server.requests.map(readForm));
      return forms.map(({ fields }) => fields.find(([name]) => name === 'response_format')?.[1]);
    };

    for (const message of [
      'Currently do not support verbose_json for Qwen3-ASR',
      'Only json response_format is supported',
    ]) {
      it(`receives a request for timestamps, and for plain JSON after ${message}`, async () => {
        const stt = await loadStt(name, { baseUrl: server.url });
        const transcribe = () =>
          adapt(stt, sttRequest({ model: 'Qwen/Qwen3-ASR' }), (request) => stt.transcribe(request, memoryJob()));
        server.behave(answerJson(400, openAiError(message)), answerJson(200, { text: 'Hello' }));
        expect((await transcribe()).answer.transcript.text).to.equal('Hello');
        await transcribe();
        expect(await formats()).to.deep.equal(['verbose_json', 'json', 'json']);
      });
    }

    it('is heard if it sends the transcript itself, as text, WebVTT or SubRip, whatever format was wanted', async () => {
      const cue = '00:01.000 --> 00:02.500\nHello\n\n00:03.000 --> 00:04.000\nworld\n';
      for (const [body, turns] of [
        ['Hello world\n', [{ role: 'speaker', text: 'Hello world' }]],
        [`WEBVTT\n\n${cue}`, 2],
        [`1\r\n${cue.replaceAll('00:0', '00:00:0').replaceAll('.', ',').replaceAll('\n', '\r\n')}`, 2],
        [
          '{"text":"<think>A greeting.</think><|0.00|> Hello world<|2.40|>"}',
          [{ role: 'speaker', text: 'Hello world' }],
        ],
      ] as const) {
        server.behave((response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end(body));
        const heard = await sttProvider(name, { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());
        const cues = [
          { role: 'speaker', text: 'Hello', start_s: 1, end_s: 2.5 },
          { role: 'speaker', text: 'world', start_s: 3, end_s: 4 },
        ];
        expect(heard.turns, body).to.deep.equal(turns === 2 ? cues : turns);
      }
    });

    it('that reports an error with status 200 refused the recording', async () => {
      server.behave(answerJson(200, { error: 'failed to process audio' }));
      const call = sttProvider(name, { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());
      const error = await providerFailure(call, name);
      expect([error.fault, error.reply()?.message]).to.deep.equal(['bad_input', 'failed to process audio']);
    });
  });

describe('The provider local', () => {
  const server = useFakeServer();
  const { signal } = new AbortController();
  const prompt = {
    model: 'm',
    system: '',
    user: '',
    schema: ANSWER_SCHEMA,
    temperature: null,
    maxOutputTokens: 9,
    signal,
  };
  const analyze = (from: 'local' | 'openai' = 'local') =>
    completeWith(providersFor(from, server.url, 20_000), 'local', prompt);
  const transcribe = () => sttProvider('local', { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());

  it("names its step's settings in errors", async () => {
    for (const [call, status, message] of [
      [analyze, 401, /check LOCAL_LLM_API_KEY$/],
      [transcribe, 401, /check LOCAL_STT_API_KEY$/],
      [analyze, 413, /refused the prompt as too long/],
      [transcribe, 413, /refused the recording as too large/],
    ] as const) {
      server.behave(answerJson(status, openAiError('no')));
      expect((await providerFailure(call(), 'local')).message).to.match(message);
    }
  });

  it('never calls OpenAI after the URL is removed', async () => {
    server.behave(answerJson(400, openAiError('no')));
    const { fault, message } = await providerFailure(analyze('openai'), 'local');
    expect([fault, message]).to.deep.equal(['auth', 'Local server is not configured: set LOCAL_LLM_BASE_URL']);
    expect(server.requests).to.deep.equal([]);
  });
});
