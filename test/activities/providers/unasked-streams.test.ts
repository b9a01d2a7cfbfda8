/** Bodies that are not what was requested: streams, comments, lists, wrong media types. */
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { errorOf } from '../../support/error-of.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { ANALYSIS, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const TEXT = JSON.stringify(ANALYSIS);
const [HALF, REST] = [TEXT.slice(0, 20), TEXT.slice(20)];
const events = (...data: unknown[]) => data.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
const OPENAI = { prompt_tokens: 1_000, completion_tokens: 20, total_tokens: 1_020 };

const openAiStream =
  ': OPENROUTER PROCESSING\n\n' +
  events(
    { id: 'c-1', model: 'm', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
    { id: 'c-1', choices: [{ index: 0, delta: { content: HALF } }] },
    { id: 'c-1', choices: [{ index: 0, delta: { content: REST }, finish_reason: null }] },
    { id: 'c-1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { id: 'c-1', choices: [], usage: OPENAI },
  ) +
  'data: [DONE]\n\n';
const whole = PROVIDERS.local.answer({ text: TEXT, usage: OPENAI });

const BODIES: [LlmProviderName, string, string][] = [
  ['openai', 'a stream', openAiStream],
  ['local', 'a stream with other line ends', openAiStream.replaceAll('\n', '\r\n')],
  ['grok', 'a stream of one whole answer', events(whole)],
  [
    'openai',
    'a stream with other alternatives',
    events({ choices: [{ index: 1, delta: { content: 'x' } }] }) + openAiStream,
  ],
  [
    'openai',
    'a stream of parts',
    events({ choices: [{ delta: { content: [{ type: 'text', text: TEXT }] }, finish_reason: 'stop' }], usage: OPENAI }),
  ],
  ['local', 'an event of several lines', JSON.stringify(whole, null, 1).replaceAll(/^/gm, 'data: ')],
  [
    'local',
    'a line for each event',
    openAiStream.replaceAll(/^(?:data: |:.*$|data: \[DONE\])/gm, '').replace('[DONE]', ''),
  ],
  ['local', 'JSON in JSON', JSON.stringify(JSON.stringify(whole))],
  ['local', 'comments and blanks before JSON', `\n\n: wait\n: wait\n   ${JSON.stringify(whole)}`],
  [
    'anthropic',
    'a stream',
    [
      { type: 'ping' },
      {
        type: 'message_start',
        message: { id: 'msg_1', model: 'm', content: [], usage: { input_tokens: 100, output_tokens: 1 } },
      },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: HALF } },
      { type: 'ping' },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: REST } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 20 } },
      { type: 'message_stop' },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  ],
  ...(['stream', 'list'] as const).map((kind): [LlmProviderName, string, string] => {
    const parts = [
      { candidates: [{ content: { parts: [{ text: HALF }] } }] },
      {
        candidates: [{ content: { parts: [{ text: REST }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20 },
      },
    ];
    return ['gemini', `a ${kind}`, kind === 'stream' ? events(...parts) : JSON.stringify(parts)];
  }),
];

describe('A response', () => {
  const server = useFakeServer();
  const behave = (body: string, type = 'text/event-stream') =>
    server.behave((response) => response.writeHead(200, { 'Content-Type': type }).end(body));

  for (const [name, kind, body] of BODIES) {
    it(`of ${name} that is ${kind} is read, after one call`, async () => {
      const fake = { ...server, providers: providersFor(name, server.url, 20_000) };
      behave(body);
      const session = await newSession(name);
      expect((await ask(fake, session, { priceOf: () => 0 })).raw_response).to.deep.equal(ANALYSIS);
      expect(server.requests).to.have.length(1);
      const [call] = await ledgerOf(session);
      expect(call?.usage).to.include({ output_tokens: 20 });
    });
  }

  it('that is a stream with an error or without an end is no answer', async () => {
    const fake = { ...server, providers: providersFor('openai', server.url, 20_000) };
    const cut = events({ choices: [{ delta: { content: HALF } }] });
    behave(cut + events({ error: { code: 402, message: 'Insufficient credits' } }));
    expect(await errorOf(ask(fake, await newSession('openai')))).to.include({ fault: 'quota_exceeded' });
    behave(cut);
    expect(await errorOf(ask(fake, await newSession('openai')))).to.include({ fault: 'incomplete' });
  });

  it('of a transcription may be a stream', async () => {
    behave(
      events(
        { type: 'transcript.text.delta', delta: 'Hel' },
        { type: 'transcript.text.done', text: 'Hello there', usage: { seconds: 3 } },
      ),
    );
    const read = () => sttProvider('whisper', { baseUrl: server.url }).transcribe(sttRequest(), memoryJob());
    expect((await read()).transcript.text).to.equal('Hello there');
    const segments = ['A', 'B'].map((speaker) => ({
      type: 'transcript.text.segment',
      speaker,
      text: `I am ${speaker}`,
    }));
    behave(events(...segments, { type: 'transcript.text.done', text: 'I am A I am B' }));
    expect((await read()).turns.map(({ role }) => role)).to.deep.equal(['speaker A', 'speaker B']);
    behave(events({ text: 'Hello' }, { text: 'there' }));
    expect((await read()).transcript.text).to.equal('Hello there');
  });
});
