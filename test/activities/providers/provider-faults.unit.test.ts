import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import { ProviderError } from '../../../activities/providers/policy/provider-error.ts';
import { type LlmProviderName, type ProviderFault, type ProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, PROVIDERS as ALL_PROVIDERS } from '../../../contract/values/providers.ts';
import { inSpan } from '../../../runtime/telemetry/tracing.ts';
import { errorOf } from '../../support/error-of.ts';
import { answerJson, completeWith, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const openAi = (message: string, code: string | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const anthropic = (message: string, type = 'invalid_request_error', details?: object) => ({
  type: 'error',
  error: { type, message, ...(details && { details }) },
});
const gemini = (message: string, status = 'INVALID_ARGUMENT') => ({ error: { code: 400, message, status } });
const xai = (error: string) => ({ code: 'Client specified an invalid argument', error });
const elevenLabs = (detail: object) => ({ detail: { message: 'no', ...detail } });

const NO_CREDITS =
  'Your team 00 has either used all available credits or reached its monthly spending limit. To continue, purchase more.';

/** Error responses that the providers document or that users have reported. */
const REPLIES: [ProviderName, number, unknown, ProviderFault][] = [
  ['openai', 429, openAi('no', 'insufficient_quota', 'insufficient_quota'), 'quota_exceeded'],
  ['openai', 429, openAi('Your account is not active.', 'billing_not_active'), 'quota_exceeded'],
  ['openai', 400, openAi('Billing hard limit has been reached', 'billing_hard_limit_reached'), 'quota_exceeded'],
  ['anthropic', 400, anthropic('Your credit balance is too low to access the Anthropic API.'), 'quota_exceeded'],
  ['anthropic', 400, anthropic('You have reached your specified API usage limits.'), 'quota_exceeded'],
  ['anthropic', 400, anthropic('no', 'billing_error'), 'quota_exceeded'],
  ['anthropic', 402, anthropic('no', 'billing_error'), 'quota_exceeded'],
  ...['enforced_spend_limit_reached', 'contract_spend_limit_reached'].map((error_code): (typeof REPLIES)[number] => [
    'anthropic',
    429,
    anthropic('no', 'rate_limit_error', { error_code }),
    'quota_exceeded',
  ]),
  ['anthropic', 429, anthropic('This request would exceed your rate limit.', 'rate_limit_error'), 'rate_limited'],
  ['gemini', 402, gemini('no'), 'quota_exceeded'],
  ['grok', 403, xai(NO_CREDITS), 'quota_exceeded'],
  ['grok', 403, xai("Your newly created team doesn't have any credits yet."), 'quota_exceeded'],
  ['grok', 429, xai(NO_CREDITS), 'quota_exceeded'],
  ['elevenlabs', 400, elevenLabs({ status: 'quota_exceeded' }), 'quota_exceeded'],
  ['elevenlabs', 401, elevenLabs({ code: 'quota_exceeded', type: 'authentication_error' }), 'quota_exceeded'],
  ['elevenlabs', 401, elevenLabs({ code: 'payment_issue', status: 'payment_issue' }), 'quota_exceeded'],
  ['elevenlabs', 429, elevenLabs({ status: 'system_busy' }), 'rate_limited'],
  ['elevenlabs', 422, { detail: [{ loc: [], msg: 'no', type: 'x' }] }, 'bad_input'],
  ['whisper', 429, openAi('no', 'insufficient_quota'), 'quota_exceeded'],
  ['aisha', 402, { detail: 'No balance' }, 'quota_exceeded'],

  ['grok', 400, xai('Incorrect API key provided: xa***…. You can obtain one.'), 'auth'],
  ['gemini', 400, { error: { code: 400, message: 'no', details: [{ reason: 'API_KEY_INVALID' }] } }, 'auth'],
  ['anthropic', 400, anthropic('no', 'invalid_request_error', { error_code: 'organization_on_hold' }), 'auth'],
  ['elevenlabs', 401, elevenLabs({ code: 'invalid_api_key' }), 'auth'],
  ['aisha', 403, { detail: 'Invalid key' }, 'auth'],

  ['openai', 400, openAi('no', 'content_policy_violation'), 'refused'],
  ['openai', 400, openAi('no', 'invalid_prompt'), 'refused'],
  ['grok', 403, xai('Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'), 'refused'],

  ['openai', 404, openAi('The model `m` does not exist', 'model_not_found'), 'unknown_model'],
  ['openai', 403, openAi('Project does not have access to model `m`', 'model_not_found'), 'unknown_model'],
  ['anthropic', 404, anthropic('model: m', 'not_found_error'), 'unknown_model'],
  ['gemini', 404, gemini('models/m is not found for API version v1beta', 'NOT_FOUND'), 'unknown_model'],
  ['grok', 404, { code: 'Some requested entity was not found', error: 'The model m does not exist' }, 'unknown_model'],
  ['grok', 400, xai('Model not found: m'), 'unknown_model'],
  ['whisper', 404, openAi('The model `m` does not exist', 'model_not_found'), 'unknown_model'],

  ['openai', 400, openAi('no', 'context_length_exceeded'), 'too_large'],
  ['openai', 400, openAi('string too long', 'string_above_max_length'), 'too_large'],
  ['anthropic', 400, anthropic('prompt is too long: 1050000 tokens > 1000000 maximum'), 'too_large'],
  ['gemini', 400, gemini('The input token count (1200000) exceeds the maximum number of tokens allowed'), 'too_large'],
  ['grok', 400, xai("This model's maximum prompt length is 256000 but the request contains 300000"), 'too_large'],
  ['whisper', 400, openAi('no', 'input_too_large'), 'too_large'],
  ['whisper', 400, openAi('audio duration 1500 seconds is longer than 1400 seconds', 'invalid_value'), 'too_large'],

  ['gemini', 499, gemini('The operation was cancelled.', 'CANCELLED'), 'unavailable'],
  ['openai', 400, openAi('no'), 'bad_input'],
];

/** The advice for each permanent fault. */
const ADVICE: Partial<Record<ProviderFault, RegExp>> = {
  auth: /refused the API key \(HTTP \d+\): check [A-Z_]+_API_KEY/,
  refused: /declined to process this content \(HTTP \d+\): change the instructions/,
  unknown_model: /does not offer this model \(HTTP \d+\): choose another/,
  too_large: /refused the (prompt as too long|recording as too large) \(HTTP \d+\): (shorten|send)/,
  quota_exceeded: /has no credit left for this account \(HTTP \d+\): add credit/,
};

const isLlm = (name: ProviderName): name is LlmProviderName => LLM_PROVIDERS.some((each) => each === name);

/** Calls a provider at `url`. */
function call(name: ProviderName, url: string): Promise<unknown> {
  if (!isLlm(name)) return sttProvider(name, { baseUrl: url }).transcribe(sttRequest(), memoryJob());
  const { model } = PROVIDERS[name];
  const { signal } = new AbortController();
  const prompt = { system: 'Summarize.', user: 'client: hello', schema: ANSWER_SCHEMA, temperature: null };
  return completeWith(providersFor(name, url, 20_000), name, { ...prompt, model, maxOutputTokens: 100, signal });
}

describe("A provider's error response", () => {
  const server = useFakeServer();

  for (const [name, status, body, fault] of REPLIES) {
    it(`of ${name} with ${status} ${JSON.stringify(body)} is ${fault}`, async () => {
      server.behave(answerJson(status, body));
      const error = await errorOf(call(name, server.url));
      expect(error).to.be.instanceOf(ProviderError).and.to.include({ fault });
      expect((error as ProviderError).message).to.match(ADVICE[fault] ?? /./);
      expect(server.requests).to.have.length(1);
    });
  }
});

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
