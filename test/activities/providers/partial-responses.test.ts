import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS } from '../../../contract/values/providers.ts';
import { ask, ledgerOf, newSession } from '../sessions/analysis.ts';
import { errorOf } from '../../support/error-of.ts';
import { ANALYSIS, answerJson, answerWell, completeWith, useFakeProvider } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';

const TEXT = JSON.stringify(ANALYSIS);
const HALF = TEXT.slice(0, 40);

type Build = (reason: unknown, parts: (string | object)[]) => unknown;

const openAi =
  (name: LlmProviderName): Build =>
  (finish_reason, [content = null]) => ({
    choices: [{ finish_reason, message: { content } }],
    usage: PROVIDERS[name].usage.wire,
  });

/** Builds a response of each provider from a finish reason and parts, or the texts of parts. */
const BUILD: Record<LlmProviderName, Build> = {
  openai: openAi('openai'),
  grok: openAi('grok'),
  local: openAi('local'),
  anthropic: (stop_reason, parts) => ({
    type: 'message',
    content: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
    stop_reason,
    usage: PROVIDERS.anthropic.usage.wire,
  }),
  gemini: (finishReason, parts) => ({
    candidates: [
      { finishReason, content: { parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)) } },
    ],
    usageMetadata: PROVIDERS.gemini.usage.wire,
  }),
};

const END: Record<LlmProviderName, string> = {
  openai: 'stop',
  grok: 'end_turn',
  local: 'stop',
  anthropic: 'end_turn',
  gemini: 'STOP',
};

/** Finish reasons after which the text may be incomplete. */
const NO_ENDS: Record<LlmProviderName, unknown[]> = {
  openai: ['tool_calls', 'function_call', null, 'a-reason-of-tomorrow'],
  grok: ['tool_calls', null],
  local: ['tool_calls', null],
  anthropic: ['pause_turn', 'tool_use', null, 'a-reason-of-tomorrow'],
  gemini: [
    'OTHER',
    'MALFORMED_RESPONSE',
    'CONTINUATION',
    'FINISH_REASON_UNSPECIFIED',
    'IMAGE_SAFETY',
    'MALFORMED_FUNCTION_CALL',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    undefined,
  ],
};

/** Responses of several parts: halves of the answer, or parts that are not the answer. */
const IN_PARTS: Partial<Record<LlmProviderName, [string, (string | object)[]][]>> = {
  anthropic: [
    ['the answer in two blocks', [HALF, TEXT.slice(40)]],
    ['a preamble in a block of its own', ['Here is the analysis:', TEXT]],
    ['thoughts', [{ type: 'thinking', thinking: '{"a":1}', signature: 's' }, TEXT]],
  ],
  gemini: [
    ['the answer in two parts', [HALF, TEXT.slice(40)]],
    ['a preamble in a part of its own', ['Here is the analysis:', TEXT]],
    ['thoughts', [{ text: 'The client seems {annoyed}.', thought: true }, TEXT]],
  ],
};

for (const name of LLM_PROVIDERS) {
  describe(`A response of ${name}`, () => {
    const fake = useFakeProvider(name);

    for (const reason of NO_ENDS[name]) {
      it(`with the finish reason ${String(reason)} is never a result, and is charged at most three times`, async () => {
        const session = await newSession(name);
        fake.behave(answerJson(200, BUILD[name](reason, [HALF])));
        const error = await errorOf(ask(fake, session));
        expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault: 'incomplete', isFinal: true });
        const calls = await ledgerOf(session);
        expect(calls.map((call) => [call.status, call.error?.fault, (call.cost_usd ?? 0) > 0])).to.deep.equal(
          Array(3).fill(['failed', 'incomplete', true]),
        );
      });
    }

    for (const [title, first, requests] of [
      ['that is empty is requested again', BUILD[name](END[name], []), 2],
      ['with incomplete JSON is requested again, whatever its finish reason', BUILD[name](END[name], [HALF]), 2],
      ...(IN_PARTS[name] ?? []).map(
        ([parts, content]) => [`with ${parts} has only the answer`, BUILD[name](END[name], content), 1] as const,
      ),
    ] as const) {
      it(title, async () => {
        fake.behave(answerJson(200, first), answerWell(name, { text: TEXT }));
        expect(await ask(fake, await newSession(name))).to.deep.include({ raw_response: ANALYSIS });
        expect(fake.requests).to.have.length(requests);
      });
    }

    it('with incomplete JSON doubles the maximum of output tokens once', async () => {
      fake.behave(answerJson(200, BUILD[name](END[name], [`\`\`\`json\n${HALF}`])));
      const error = await errorOf(ask(fake, await newSession(name)));
      expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault: 'too_large' });
      expect(fake.requests).to.have.length(2);
      expect(fake.requests[1]?.body.toString()).to.contain('16384');
    });
  });
}

describe('The answer in another place', () => {
  const fake = useFakeProvider('openai');
  const call = (args: unknown) => ({ id: 'call_1', type: 'function', function: { name: 'answer', arguments: args } });
  const sent = (message: object, finish_reason = 'tool_calls') =>
    answerJson(200, { choices: [{ finish_reason, message }], usage: PROVIDERS.openai.usage.wire });

  it('is read from the arguments of the only tool call', async () => {
    for (const args of [TEXT, ANALYSIS]) {
      fake.behave(sent({ content: null, tool_calls: [call(args)] }));
      expect(await ask(fake, await newSession('openai'))).to.deep.include({ raw_response: ANALYSIS });
      expect(fake.requests).to.have.length(1);
    }
    fake.behave(sent({ content: null, tool_calls: [call(TEXT), call(TEXT)] }));
    expect(await errorOf(ask(fake, await newSession('openai')))).to.include({ fault: 'incomplete' });
  });

  it('is refused, after one call, if a filter left nothing but its name', async () => {
    fake.behave(
      answerJson(200, { choices: [{ finish_reason: 'content_filter' }], usage: PROVIDERS.openai.usage.wire }),
    );
    expect(await errorOf(ask(fake, await newSession('openai')))).to.include({ fault: 'refused' });
    expect(fake.requests).to.have.length(1);
  });
});

describe('A response that filled the context', () => {
  const anthropic = useFakeProvider('anthropic');
  const openai = useFakeProvider('openai');

  const request = (model: string) => ({
    model,
    system: 'Summarize.',
    user: 'client: hello',
    schema: { type: 'object' },
    temperature: null,
    maxOutputTokens: 100,
    signal: new AbortController().signal,
  });

  it('is too large', async () => {
    anthropic.behave(answerJson(200, BUILD.anthropic('model_context_window_exceeded', [HALF])));
    const call = completeWith(anthropic.providers, 'anthropic', request('claude-haiku-5-5'));
    expect(await errorOf(call)).to.include({ fault: 'too_large' });
  });

  it('is truncated with OpenAI, which then sends no content', async () => {
    openai.behave(answerJson(200, BUILD.openai('length', [])));
    const answer = await completeWith(openai.providers, 'openai', request('gpt-6-luna'));
    expect(answer).to.include({ finish: 'truncated', text: '' });
  });
});
