import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import { type LlmProviderName, type ProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, PROVIDERS as ALL_PROVIDERS } from '../../../contract/values/providers.ts';
import { inSpan } from '../../../runtime/telemetry/tracing.ts';
import { errorOf } from '../../support/error-of.ts';
import { answerJson, completeWith, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const isLlm = (name: ProviderName): name is LlmProviderName => LLM_PROVIDERS.some((each) => each === name);

/** Calls a provider at `url`. */
function call(name: ProviderName, url: string): Promise<unknown> {
  if (!isLlm(name)) return sttProvider(name, { baseUrl: url }).transcribe(sttRequest(), memoryJob());
  const { model } = PROVIDERS[name];
  const { signal } = new AbortController();
  const prompt = { system: 'Summarize.', user: 'client: hello', schema: ANSWER_SCHEMA, temperature: null };
  return completeWith(providersFor(name, url, 20_000), name, { ...prompt, model, maxOutputTokens: 100, signal });
}

const CANARY = 'header-canary';

/** Environment variables that the SDKs read, with values that would be visible in a request. */
const VARIABLES = {
  OPENAI_CUSTOM_HEADERS: `X-Gateway-Token: ${CANARY}\nAuthorization: Bearer ${CANARY}`,
  ANTHROPIC_CUSTOM_HEADERS: `X-Gateway-Token: ${CANARY}`,
  OPENAI_ORG_ID: CANARY,
  OPENAI_PROJECT_ID: CANARY,
  OPENAI_ADMIN_KEY: CANARY,
  ANTHROPIC_AUTH_TOKEN: CANARY,
  ANTHROPIC_API_KEY: CANARY,
};

describe('A call to a provider', () => {
  const server = useFakeServer();
  before(() => {
    Object.assign(process.env, VARIABLES);
    trace.setGlobalTracerProvider(new BasicTracerProvider());
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  after(() => {
    for (const name of Object.keys(VARIABLES)) Reflect.deleteProperty(process.env, name);
    for (const api of [trace, context, propagation]) api.disable();
  });

  for (const name of ALL_PROVIDERS) {
    it(`to ${name} contains no environment variables and no trace ID`, async () => {
      server.behave(answerJson(400, {}));
      await inSpan('test', {}, async () => errorOf(call(name, server.url)));
      expect(server.requests).to.have.length(1);
      const { headers } = server.requests[0]!;
      expect(JSON.stringify(headers)).to.contain('test-key').and.not.contain(CANARY);
      expect(headers).not.to.have.any.keys('traceparent', 'tracestate', 'baggage');
    });
  }
});
