/** What providers, gateways and proxies say about an error, in the shapes that they publish and that users report. */
import { expect } from 'chai';
import { causeOf, type Cause } from '../../../activities/providers/provider-faults.ts';
import { ProviderError } from '../../../activities/providers/provider-error.ts';
import { isErrorBody, readRefusal } from '../../../activities/providers/read-refusal.ts';
import { ANSWER_SCHEMA } from '../../../activities/providers/llm/answer-schema.ts';
import type { LlmProviderName } from '../../../contract/values/constants.ts';
import { LLM_PROVIDERS, STT_PROVIDERS } from '../../../contract/values/providers.ts';
import { answerJson, providerFailure, providersFor, useFakeServer } from './fake-provider.ts';
import { PROVIDERS } from './llm-providers.ts';
import { memoryJob, sttProvider, sttRequest } from './stt-call.ts';

const open = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });
const google = (message: string, ...details: object[]) => ({
  error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details },
});
const quotaOf = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
const PAGE = '<!DOCTYPE html><html><head><title>Models and deployments</title></head></html>';

/** Status, body, cause and, for a body that names it, the wait in seconds. */
const REPLIES: [number, unknown, Cause, number?][] = [
  // The content, in the words of a filter.
  [
    400,
    open('The response was filtered', { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }),
    'content',
  ],
  [
    403,
    {
      error: {
        code: 403,
        message: 'Your chosen model requires moderation and your input was flagged',
        metadata: { reasons: ['violence'] },
      },
    },
    'content',
  ],
  [
    400,
    { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.', request_id: 'r' },
    'content',
  ],
  [
    400,
    { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT', details: [{ reason: 'PROHIBITED_CONTENT' }] } },
    'content',
  ],

  // Where the server is.
  [
    403,
    open('Country, region, or territory not supported', { code: 'unsupported_country_region_territory' }),
    'region',
  ],
  [
    400,
    { error: { code: 400, message: 'User location is not supported for the API use.', status: 'FAILED_PRECONDITION' } },
    'region',
  ],
  [403, { type: 'error', error: { type: 'forbidden', message: 'Request not allowed' } }, 'region'],
  [403, { error: 'This model is not available in your region.' }, 'region'],
  [451, {}, 'region'],

  // The address.
  [404, '404 page not found', 'url'],
  [404, { detail: 'Not Found' }, 'url'],
  [404, { error: { code: '404', message: 'Resource not found' } }, 'url'],
  [404, PAGE, 'url'],
  [405, { detail: 'Method Not Allowed' }, 'url'],
  [404, open('Invalid URL (POST /chat/completions)'), 'url'],
  [200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }, 'url'],
  [404, { message: 'no Route matched with those values' }, 'url'],

  // What is in between.
  [403, PAGE, 'between'],
  [200, PAGE, 'between'],
  [407, '', 'between'],
  [403, 'error code: 1020', 'between'],
  [502, '<html><center>nginx</center></html>', 'outage'],

  // Money and quotas.
  [200, { error: { code: 402, message: 'Insufficient credits' } }, 'credit'],
  [
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' } },
    'credit',
  ],
  [
    400,
    { error: { message: 'ExceededBudget: over budget', type: 'budget_exceeded', param: null, code: '400' } },
    'credit',
  ],
  [429, { error: { code: '1113', message: 'Your account is in arrears. Please recharge.' } }, 'credit'],
  [200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'credit'],
  [
    429,
    google(
      'You exceeded your current quota, please check your plan and billing details.',
      quotaOf('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      { retryDelay: '34s' },
    ),
    'quota',
  ],
  [429, google('Quota exceeded for metric: free_tier_requests, limit: 0, model: m'), 'quota'],
  [
    429,
    open(
      'Rate limit reached for model `m` on tokens per day (TPD): Limit 100000, Used 99000. Please try again in 7m12.5s.',
    ),
    'quota',
    432.5,
  ],
  [429, { error: { code: 429, message: 'Rate limit exceeded: free-models-per-day' } }, 'quota'],
  [429, open('You exceeded your current quota, please check your plan and billing details.'), 'quota'],

  // Too many calls, which later ones are not.
  [
    429,
    google(
      'You exceeded your current quota. Please retry in 34.5s.',
      quotaOf('GenerateRequestsPerMinutePerProjectPerModel'),
      { retryDelay: '34s' },
    ),
    'rate',
    34.5,
  ],
  [
    429,
    open(
      'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 28000, Requested 3000. Please try again in 2s.',
    ),
    'rate',
    2,
  ],
  [200, { error: { code: 429, message: 'busy' } }, 'rate'],
  [200, { type: 'error', error: { type: 'rate_limit_error', message: 'no' } }, 'rate'],

  // Too long.
  [
    429,
    open(
      'Request too large for m on tokens per min (TPM): Limit 30000, Requested 37313. The input or output tokens must be reduced.',
    ),
    'tokens_at_once',
  ],
  [413, open('Request too large for model `m` on tokens per minute'), 'tokens_at_once'],
  [
    400,
    { error: { message: 'The total length of all messages is too long.', type: 'too_many_prompt_tokens', code: 400 } },
    'length',
  ],
  [
    422,
    {
      error:
        '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 8192 `max_new_tokens`',
    },
    'length',
  ],
  [413, '<html>413 Request Entity Too Large</html>', 'length'],

  // The model.
  [
    400,
    open('The model `m` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }),
    'model',
  ],
  [400, open('The model gpt-4.1 was deprecated', { code: 'model_deprecated' }), 'model'],
  [410, {}, 'model'],
  [404, open('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }), 'model'],
  [404, { detail: "Model 'm' is not installed locally." }, 'model'],
  [404, { error: { code: 404, message: 'No endpoints found for a/b' } }, 'model'],
  [404, open('No endpoints found that can handle the requested parameters.'), 'request'],

  // The model's answer.
  [400, open('Failed to generate JSON', { code: 'json_validate_failed', failed_generation: 'secret words' }), 'json'],

  // The rest, by the status in the body, and by the words of a body without one.
  [200, { choices: [{ finish_reason: 'error', error: { code: 502, message: 'Upstream error' } }] }, 'outage'],
  [200, [{ error: { code: 503, message: 'overloaded' } }], 'outage'],
  [200, { type: 'error', error: { type: 'overloaded_error', message: 'no' } }, 'outage'],
  [200, { error: 'something odd' }, 'outage'],
  [500, { error: { code: 401, message: 'no', type: 'x' } }, 'key'],
  [424, {}, 'outage'],
  [400, open('This model only support stream mode', { param: 'stream', code: 'invalid_parameter_error' }), 'request'],
];

describe('The cause in an error reply', () => {
  for (const [status, body, cause, waitS] of REPLIES) {
    it(`is ${cause} for ${status} ${JSON.stringify(body).slice(0, 150)}`, () => {
      if (status === 200 && typeof body !== 'string') expect(isErrorBody(body)).to.equal(true);
      const refusal = readRefusal(status, body);
      expect(causeOf(refusal)).to.equal(cause);
      if (waitS !== undefined) expect(refusal.waitMs).to.equal(waitS * 1_000);
    });
  }

  it('is not in an answer, nor in the state of a job', () => {
    for (const body of [
      { choices: [{ message: { content: '{}' } }], error: null },
      { choices: [], error: {} },
      { text: 'Hello', error: '' },
      { text: 'Hello', error: { code: 0, message: 'success' } },
      { id: 7, status: 'FAILED', error: 'no speech' },
      { words: [] },
      null,
      'text',
    ])
      expect(isErrorBody(body), JSON.stringify(body)).to.equal(false);
  });

  it('has the code, type and parameter in any shape, and never a sentence, an address or a telephone number', () => {
    for (const [body, expected] of [
      [
        open('x', { code: 'unsupported_value', param: 'stream' }),
        ['unsupported_value', 'invalid_request_error', 'stream'],
      ],
      [
        { detail: [{ loc: ['body', 'max_tokens'], type: 'extra_forbidden', msg: 'x', input: 'secret' }] },
        [null, 'extra_forbidden', 'max_tokens'],
      ],
      [
        { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } },
        ['API_KEY_INVALID', 'INVALID_ARGUMENT', null],
      ],
      [{ code: 'The client said a secret', error: 'x' }, [null, null, null]],
      [{ error: { code: 'a@b.uz', type: '998901234567', param: 'Good morning' } }, [null, null, null]],
      [{ error: { code: { a: 1 }, type: [], param: 7, message: null } }, [null, null, '7']],
    ] as const) {
      const { code, type, param } = readRefusal(400, body);
      expect([code, type, param], JSON.stringify(body)).to.deep.equal(expected);
    }
  });

  it('has the end of a quota as a wait', () => {
    const in5Minutes = new Date(Date.now() + 300_000).toISOString().slice(0, 16).replace('T', ' at ');
    const told = readRefusal(
      400,
      open(`You have reached your API usage limits. You will regain access on ${in5Minutes} UTC.`),
    );
    expect(told.waitMs).to.be.within(200_000, 300_000);
    const reset = String(Date.now() + 60_000);
    const limited = { error: { code: 429, message: 'no', metadata: { headers: { 'X-RateLimit-Reset': reset } } } };
    expect(readRefusal(429, limited).waitMs).to.be.within(30_000, 60_000);
    for (const message of ['Please wait 20 seconds', 'try again after 20 s', 'Retry in 20000ms'])
      expect(readRefusal(429, open(message)).waitMs, message).to.equal(20_000);
  });
});

const isLlm = (name: string): name is LlmProviderName => (LLM_PROVIDERS as readonly string[]).includes(name);

describe('An error reply of every provider', () => {
  const server = useFakeServer();
  const calls = [
    ...LLM_PROVIDERS.map((name) => ['analysis', name] as const),
    ...STT_PROVIDERS.map((name) => ['transcription', name] as const),
  ];

  const call = (step: string, name: (typeof calls)[number][1]) => {
    if (step === 'transcription' || !isLlm(name))
      return sttProvider(name as (typeof STT_PROVIDERS)[number], { baseUrl: server.url }).transcribe(
        sttRequest(),
        memoryJob(),
      );
    const prompt = { system: 's', user: 'u', schema: ANSWER_SCHEMA, temperature: null, maxOutputTokens: 100 };
    const { signal } = new AbortController();
    return providersFor(name, server.url, 20_000)[name].complete({ ...prompt, model: PROVIDERS[name].model, signal });
  };

  for (const [step, name] of calls) {
    it(`of ${name} in the ${step} names what a person has to change, and stops no other session`, async () => {
      for (const [status, body, message] of [
        [404, '404 page not found', /\(HTTP 404\): check [A-Z_]+_BASE_URL/],
        [403, PAGE, /\(HTTP 403\): check [A-Z_]+_BASE_URL and HTTPS_PROXY/],
        [403, open('x', { code: 'unsupported_country_region_territory' }), /country or region.*_BASE_URL/],
        [
          200,
          { error: { code: 402, message: 'Insufficient credits' } },
          /no credit left for this account \(HTTP 402\): add/,
        ],
        [400, open('x', { code: 'content_filter' }), /declined to process this content \(HTTP 400\): change/],
        [
          400,
          open('The model was retired', { code: 'model_deprecated' }),
          /does not offer this model \(HTTP 400\): choose/,
        ],
        [400, open('This model only support stream mode', { param: 'stream' }), /invalid \(HTTP 400\): see the code/],
      ] as const) {
        server.behave(answerJson(status, body));
        const error = await providerFailure(call(step, name), name);
        expect(error.message).to.match(message);
        expect(error.isOutage, error.message).to.equal(false);
        expect(server.requests).to.have.length(1);
      }
    });

    it(`of ${name} in the ${step} is stored with the ID of its request, by any name`, async () => {
      for (const header of [
        'apim-request-id',
        'mistral-correlation-id',
        'x-generation-id',
        'x-ds-trace-id',
        'x-trace-id',
        'x-ms-request-id',
        'x-litellm-call-id',
      ]) {
        server.behave(answerJson(400, open('no', { param: 'stream', code: 'c1' }), { [header]: 'id-1' }));
        const { details } = await providerFailure(call(step, name), name);
        expect(details.providerRequestId, header).to.equal('id-1');
        expect(details.refusal).to.deep.equal({ code: 'c1', type: 'invalid_request_error', param: 'stream' });
      }
      for (const body of [
        { ...open('no'), request_id: 'id-2' },
        open('no', { request_id: 'id-2' }),
        { requestId: 'id-2' },
      ]) {
        server.behave(answerJson(400, body));
        expect((await providerFailure(call(step, name), name)).details.providerRequestId).to.equal('id-2');
      }
    });

    it(`of ${name} in the ${step} is a ProviderError, whatever its shape`, async function () {
      this.timeout(60_000);
      for (let seed = 1; seed <= 150; seed++) {
        const { status, body } = oddReply(seed);
        server.behave((response) => {
          response.writeHead(status, { 'Content-Type': 'text/odd' }).end(body);
        });
        const thrown = await call(step, name).catch((error: unknown) => error);
        if (thrown instanceof Error && !(thrown instanceof ProviderError))
          throw new Error(`${status} ${body}`, { cause: thrown });
      }
    });
  }
});

/** Returns a random reply made of the members that adapters read, with values of every type. */
function oddReply(seed: number): { status: number; body: string } {
  let state = seed * 2_654_435_761;
  const next = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const NAMES =
    'error choices message content candidates parts text finish_reason usage prompt_tokens total_tokens cost code type param detail words segments transcripts diarization transcript status id model data usageMetadata promptFeedback stop_reason delta service_tier language duration'.split(
      ' ',
    );
  const value = (depth: number): unknown => {
    const kind = next(depth > 4 ? 7 : 10);
    if (kind < 7) return [null, '', 'text', -1, 1e300, true, '{"error":{"code":429}}'][kind];
    if (kind === 7) return Array.from({ length: next(3) }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: next(5) }, () => [pick(NAMES), value(depth + 1)]));
  };
  const json = JSON.stringify(value(0));
  const wrap = pick([
    (text: string) => text,
    (text: string) => `data: ${text}\n\ndata: [DONE]\n\n`,
    (text: string) => `: comment\n\n${text}`,
    (text: string) => text.slice(0, -1),
    (text: string) => `<html>${text}</html>`,
    (text: string) => `[${text},${text}]`,
  ]);
  return { status: pick([200, 200, 200, 201, 400, 401, 403, 404, 422, 429, 500, 503, 599]), body: wrap(json) };
}
