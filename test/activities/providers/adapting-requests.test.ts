/** Requests that leave out what a model or server refuses. */
import { adapt, createMemory, findRefused } from '../../../activities/providers/policy/negotiate.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import { readRefusal } from '../../../activities/providers/policy/read-refusal.ts';
import type { LlmProviderName, SttProviderName } from '../../../contract/values/constants.ts';
import { capabilityOf, retirementOf } from '../../../contract/values/providers.ts';
import type { ResultField } from '../../../contract/fields/result-fields.ts';
import { errorOf } from '../../support/error-of.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, answerJson, answerWell, providersFor, useFakeServer } from './fake-provider.ts';
import { loadStt, memoryJob, readForm, sttRequest } from './stt-call.ts';

const TEXT = JSON.stringify(ANALYSIS);
const open = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });

interface Case {
  provider: LlmProviderName;
  model: string;
  status?: number;
  refusal: unknown;
  /** Members of the refused and of the repeated request, by their paths; undefined: absent. */
  first: Record<string, unknown>;
  second: Record<string, unknown>;
  leftOut: string[] | null;
}

const CASES: Case[] = [
  {
    provider: 'openai',
    model: 'gpt-5.2',
    refusal: open("'reasoning_effort' does not support 'none' with this model. Supported values are: 'medium'."),
    first: { reasoning_effort: 'none', temperature: 0.7 },
    second: { reasoning_effort: undefined, temperature: 0.7 },
    leftOut: ['reasoning_effort'],
  },
  {
    provider: 'grok',
    model: 'grok-4.3',
    refusal: open('Invalid max_completion_tokens value, the valid range is lower than 4000'),
    first: { max_completion_tokens: 8_192 },
    second: { max_completion_tokens: 4_096 },
    leftOut: null,
  },
  {
    provider: 'local',
    model: 'm',
    status: 422,
    refusal: {
      detail: [{ loc: ['body', 'temperature'], type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }],
    },
    first: { temperature: 0.7 },
    second: { temperature: undefined },
    leftOut: ['temperature'],
  },
  {
    provider: 'local',
    model: 'm',
    refusal: open('This model only supports the default temperature, not response_format', {
      param: 'response_format',
    }),
    first: { 'response_format.type': 'json_schema', temperature: 0.7 },
    second: { 'response_format.type': 'json_object', temperature: 0.7 },
    leftOut: ['response_format'],
  },
  {
    provider: 'anthropic',
    model: 'claude-opus-4',
    refusal: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'output_config: Extra inputs are not permitted' },
    },
    first: { 'output_config.format.type': 'json_schema' },
    second: { output_config: undefined, max_tokens: 8_192 },
    leftOut: ['output_config.format'],
  },
  {
    provider: 'gemini',
    model: 'gemini-3.5-flash',
    refusal: {
      error: {
        code: 400,
        message: 'no',
        status: 'INVALID_ARGUMENT',
        details: [
          {
            fieldViolations: [
              {
                field: 'generation_config.max_output_tokens',
                description: 'the supported range is from 1 (inclusive) to 4097 (exclusive)',
              },
            ],
          },
        ],
      },
    },
    first: { 'generationConfig.maxOutputTokens': 8_192 },
    second: { 'generationConfig.maxOutputTokens': 4_096 },
    leftOut: null,
  },
];

/** Other words for the same: provider, refusal, and the members of the repeated request. */
const WORDS: [LlmProviderName, unknown, Record<string, unknown>, number?][] = [
  ['openai', open("openai does not support parameters: ['temperature'], for model=x"), { temperature: undefined }],
  ['openai', { error: { code: 400, message: 'temperature is not supported' } }, { temperature: undefined }, 200],
  [
    'openai',
    {
      error: {
        message: 'Provider returned error',
        metadata: { raw: JSON.stringify(open('no', { param: 'temperature' })) },
      },
    },
    { temperature: undefined },
  ],
  [
    'grok',
    { code: 'x', error: 'Argument not supported on this model: reasoningEffort' },
    { reasoning_effort: undefined },
  ],
  ['grok', 'reasoning_effort: unknown variant `none`, expected one of `low`', { reasoning_effort: undefined }, 422],
  ['local', open('maxTokens 8192 exceeds the model limit of 4,096'), { max_tokens: 4_096 }],
  ['local', open('This model has a context length of 4096 tokens, and 8192 were requested'), { max_tokens: 4_096 }],
  ['local', { error: { code: 400, message: 'max_completion_tokens: extra input' } }, { max_tokens: 4_096 }],
  ['local', open('no', { code: 'unsupported_parameter', param: 'max_tokens' }), { max_tokens: undefined }],
  ['local', open('The mode json_schema is not supported'), { 'response_format.type': 'json_object' }],
  [
    'gemini',
    { error: { message: "A response mime type: 'application/json' is unsupported" } },
    { 'generationConfig.responseMimeType': undefined },
  ],
];

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);

describe('A request that a model refuses', () => {
  const server = useFakeServer();
  const sent = () => server.requests.map(({ body }) => JSON.parse(body.toString()) as unknown);

  for (const { provider, model, status = 400, refusal, first, second, leftOut } of CASES) {
    const title = `${Object.keys(first).join(', ')} by ${provider} (${JSON.stringify(refusal).slice(0, 90)})`;
    it(`because of ${title} is repeated without it, from then on, and for this model only`, async () => {
      const fake = { ...server, providers: providersFor(provider, server.url, 20_000) };
      const good = answerWell(provider, { text: TEXT });
      server.behave(answerJson(status, refusal), good);
      const session = await newSession(provider, { llm_model: model });
      const answer = await ask(fake, session);
      expect(answer.left_out).to.deep.equal(leftOut && leftOut.map((parameter) => ({ step: 'analysis', parameter })));
      expect((await ledgerOf(session)).map((call) => [call.status, call.cost_usd === 0])).to.deep.equal([
        ['failed', true],
        ['succeeded', false],
      ]);
      await ask(fake, await newSession(provider, { llm_model: model }));
      const [before, after, later] = sent();
      const membersOf = (body: unknown, like: object) => Object.keys(like).map((path) => at(body, path));
      expect(membersOf(before, first)).to.deep.equal(Object.values(first));
      for (const body of [after, later]) expect(membersOf(body, second)).to.deep.equal(Object.values(second));
      const otherModel = model.replace(/^[a-z]+/, (name) => `${name}x`);
      server.behave(good);
      const shared = Object.keys(first).filter(
        (path) => path !== 'reasoning_effort' && path !== 'prompt_cache_options',
      );
      await ask(fake, await newSession(provider, { llm_model: otherModel }));
      for (const path of shared) expect(at(sent()[0], path), path).to.deep.equal(first[path]);
    });
  }

  for (const [provider, refusal, members, status = 400] of WORDS)
    it(`by ${provider} with ${status} ${JSON.stringify(refusal).slice(0, 110)} is repeated without it`, async () => {
      const fake = { ...server, providers: providersFor(provider, server.url, 20_000) };
      server.behave(answerJson(status, refusal), answerWell(provider, { text: TEXT }));
      await ask(fake, await newSession(provider));
      for (const [path, value] of Object.entries(members)) expect(at(sent()[1], path), path).to.equal(value);
    });

  it('is repeated once for each parameter, after an output limit was halved twice, and then fails', async () => {
    const fake = { ...server, providers: providersFor('local', server.url, 20_000) };
    const refuse = (message: string) => answerJson(400, open(message));
    server.behave(refuse('temperature'), ...Array.from({ length: 4 }, () => refuse('max_tokens')));
    const error = await errorOf(ask(fake, await newSession('local', { llm_model: 'm' })));
    expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault: 'bad_input' });
    const limits = sent().map((body) => at(body, 'max_tokens'));
    expect(limits).to.deep.equal([8_192, 8_192, 4_096, 2_048, undefined]);
    // Nothing was learned from a request that never succeeded.
    server.behave(answerWell('local', { text: TEXT }));
    await ask(fake, await newSession('local', { llm_model: 'm' }));
    expect(sent()[0]).to.include({ temperature: 0.7, max_tokens: 8_192 });
  });

  it('is not repeated for a parameter that it did not have, nor for another cause', async () => {
    const fake = { ...server, providers: providersFor('openai', server.url, 20_000) };
    for (const [status, body] of [
      [400, open('temperature must be below', { param: 'messages' })],
      [403, open('temperature')],
      [429, open('temperature')],
      [400, open('temperature', { code: 'content_filter' })],
    ] as const) {
      server.behave(answerJson(status, body));
      await errorOf(ask(fake, await newSession('openai')));
      expect(server.requests).to.have.length(1);
    }
  });

  it('is answered with prose, which is the summary of an assistant without fields, marked as such, and of no other', async () => {
    const prose = answerWell('local', { text: '<think>Which parcel?</think>The client waits for a parcel.' });
    const refuse = answerJson(400, open('response_format is not supported'));
    const fields: ResultField[] = [{ name: 'resolved', type: 'boolean', description: 'Solved?', evidence: false }];
    for (const [settings, calls] of [
      [{}, 3],
      [{ fields }, 5],
    ] as const) {
      const fake = { ...server, providers: providersFor('local', server.url, 20_000) };
      server.behave(refuse, refuse, prose);
      const asked = ask(fake, await newSession('local', { llm_model: 'm', ...settings }));
      if (calls === 3)
        expect((await asked).raw_response).to.deep.equal({
          summary_text: 'The client waits for a parcel.',
          prose: true,
        });
      else expect(await errorOf(asked)).to.include({ fault: 'incomplete' });
      expect(server.requests).to.have.length(calls);
      const system = (at(sent().at(-1), 'messages') as { content: string }[])[0]?.content;
      expect(system).to.contain('The schema: ').and.contain('action_items');
    }
  });

  it('is never sent where the model is known to refuse it', async () => {
    for (const model of ['gpt-5-chat-latest', 'gpt-5.1-chat-latest', 'gpt-5.2-chat-latest', 'gpt-5.6-chat-latest'])
      expect(capabilityOf('openai', model))
        .to.include({ temperature: 'omit' })
        .and.not.have.property('reasoning_effort');
    const fake = { ...server, providers: providersFor('gemini', server.url, 20_000) };
    server.behave(answerWell('gemini', { text: TEXT }));
    await ask(fake, await newSession('gemini', { llm_model: 'gemma-3-27b-it' }));
    expect(server.requests).to.have.length(1);
    expect(JSON.stringify(sent()[0])).not.to.match(/systemInstruction|responseMimeType|responseSchema/);
    expect(JSON.stringify(at(sent()[0], 'contents')))
      .to.contain('The schema: ')
      .and.contain('=== conversation');
  });
});

describe('A request of an assistant', () => {
  const server = useFakeServer();
  const send = async (provider: LlmProviderName, settings: object) => {
    const fake = { ...server, providers: providersFor(provider, server.url, 20_000) };
    server.behave(answerWell(provider, { text: TEXT }));
    const answer = await ask(fake, await newSession(provider, settings));
    return { answer, body: JSON.parse(server.requests[0]?.body.toString() ?? '') as unknown };
  };

  it('has the reasoning effort and the output limit that the assistant sets, and no temperature that they exclude', async () => {
    const own = { reasoning_effort: 'high', max_output_tokens: 2_000 } as const;
    const openai = await send('openai', { llm_model: 'gpt-5.4', ...own });
    expect(openai.body).to.include({ reasoning_effort: 'high', max_completion_tokens: 2_000 });
    expect(openai.body).not.to.have.property('temperature');
    expect(openai.answer.temperature_applied).to.equal(false);
    const anthropic = await send('anthropic', own);
    expect(at(anthropic.body, 'output_config.effort')).to.equal('high');
    const gemini = await send('gemini', { llm_model: 'gemini-3.8-flash', ...own });
    expect(at(gemini.body, 'generationConfig.thinkingConfig')).to.deep.equal({ thinkingLevel: 'high' });
    // An effort that the model is known to refuse, such as that of a fallback, is not sent.
    const fallback = await send('gemini', { llm_model: 'gemini-3.8-flash', reasoning_effort: 'none' });
    expect(at(fallback.body, 'generationConfig')).not.to.have.property('thinkingConfig');
  });

  it('never has more output tokens than the assistant allows', async () => {
    const fake = { ...server, providers: providersFor('local', server.url, 20_000) };
    server.behave(answerWell('local', { text: '{"summary', finish: 'truncated' }));
    const error = await errorOf(ask(fake, await newSession('local', { llm_model: 'm', max_output_tokens: 1_000 })));
    expect(error).to.include({ fault: 'too_large' });
    expect((error as Error).message).to.contain('cut off at 1000 tokens');
    expect(server.requests).to.have.length(1);
  });
});

describe('A call of an old model', () => {
  const server = useFakeServer();

  it('writes nothing to the log of the process', async () => {
    const { warn } = console;
    const written: unknown[] = [];
    console.warn = (...words) => written.push(words);
    try {
      const fake = { ...server, providers: providersFor('anthropic', server.url, 20_000) };
      server.behave(answerWell('anthropic', { text: TEXT }));
      await ask(fake, await newSession('anthropic', { llm_model: 'claude-sonnet-4-5' }));
    } finally {
      console.warn = warn;
    }
    expect(written).to.deep.equal([]);
    expect(retirementOf('anthropic', 'claude-sonnet-4-5')).to.equal('2026-11-30');
  });
});

describe('What a model refused', () => {
  it('is tried again after a day', () => {
    let now = 0;
    const memory = createMemory(() => now);
    memory.remember('m', { temperature: 1 });
    now = 24 * 3_600_000 - 1;
    memory.remember('m', memory.recall('m'));
    expect([memory.recall('m'), memory.recall('other')]).to.deep.equal([{ temperature: 1 }, {}]);
    now += 2;
    expect(memory.recall('m')).to.deep.equal({});
  });

  it('is found by the letters of a name or of a long text that was sent, and nothing else is', () => {
    const parameters = {
      'output_config.effort': ['low'],
      language: ['uz'],
      format: [{ type: 'json_schema', schema: {} }],
    };
    const refused = (message: string, status = 400) =>
      findRefused(parameters, {}, readRefusal(status, open(message, { param: null })));
    expect(refused('output_config.effort: no')).to.equal('output_config.effort');
    expect(refused('JSON schema and language')).to.equal('format');
    for (const [message, status] of [
      ['a lower value for uz', 400],
      ['language', 404],
      ['language', 500],
    ] as const)
      expect(refused(message, status), message).to.equal(undefined);
  });
});

describe('A transcription request that a server refuses', () => {
  const server = useFakeServer();
  const fieldsSent = async () =>
    Promise.all(server.requests.map(async (request) => Object.fromEntries((await readForm(request)).fields)));

  for (const [name, model, status, refusal, first, second] of [
    [
      'elevenlabs',
      'scribe_v2',
      422,
      { detail: [{ loc: ['body', 'tag_audio_events'], msg: 'Extra inputs', type: 'extra' }] },
      { tag_audio_events: 'false' },
      { tag_audio_events: undefined },
    ],
    [
      'aisha',
      null,
      400,
      { detail: 'has_diarization needs 15 seconds' },
      { has_diarization: 'true' },
      { has_diarization: undefined },
    ],
  ] as [SttProviderName, string | null, number, unknown, object, object][]) {
    it(`of ${name} (${model}) with ${Object.keys(first).join()} is repeated without it, from then on`, async () => {
      const answer = { text: 'Hello there', transcript: 'Hello there' };
      server.behave(answerJson(status, refusal), answerJson(200, answer));
      const stt = await loadStt(name, { baseUrl: server.url });
      for (let i = 0; i < 2; i++) {
        const sent = await adapt(stt, sttRequest({ model }), (request) => stt.transcribe(request, memoryJob()));
        expect(sent.answer.transcript.text).to.equal('Hello there');
      }
      const sent = await fieldsSent();
      expect(sent).to.have.length(3);
      const pick = (fields: Record<string, string> = {}, like: object) =>
        Object.fromEntries(Object.keys(like).map((key) => [key, fields[key]]));
      expect(pick(sent[0], first)).to.deep.equal(first);
      for (const fields of sent.slice(1)) expect(pick(fields, second)).to.deep.equal(second);
    });
  }
});
