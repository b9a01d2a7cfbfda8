/** What the error replies of providers, gateways, model servers and proxies say, in the shapes that their users publish. */
import { causeOf, type Cause } from '../../../activities/providers/policy/causes.ts';
import { isErrorBody, readRefusal } from '../../../activities/providers/policy/read-refusal.ts';

/** Some replies name a wait in seconds. */
type Reply = [status: number, body: unknown, waitS?: number];

const page = (title: string) => `<!-- x -->\n<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
const open = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });
const code = (value: string) => open('no', { code: value });
const google = (message: string, ...details: object[]) => ({
  error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details },
});
const quotaOf = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
const xai = (error: string) => ({ code: 'Client specified an invalid argument', error });
const upstream = (body: object) => ({ choices: [{ error: { code: 403, metadata: { raw: JSON.stringify(body) } } }] });

/** Codes and phrases that vendors publish or that users have reported. */
const REPLIES: [Cause, Reply[]][] = [
  [
    'content',
    [
      [400, code('content_policy_violation')],
      [400, code('invalid_prompt')],
      [403, xai('Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')],
      [400, open('x', { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } })],
      [
        400,
        { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.', request_id: 'r' },
      ],
      [400, { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'PROHIBITED_CONTENT' }] } }],
      [403, { error: { code: 403, message: 'x', metadata: { reasons: ['violence'], flagged_input: 'x' } } }],
      [400, open('Content Exists Risk')],
      [400, { error: { code: '1301', message: '系统检测到输入可能包含敏感内容' } }],
      [200, upstream(code('content_filter'))],
    ],
  ],
  [
    'region',
    [
      [403, code('unsupported_country_region_territory')],
      [400, { error: { code: 400, message: 'User location is not supported.', status: 'FAILED_PRECONDITION' } }],
      [403, { type: 'error', error: { type: 'forbidden', message: 'Request not allowed' } }],
      [451, {}],
    ],
  ],
  [
    'url',
    [
      [404, '404 page not found'],
      [404, { detail: 'Not Found' }],
      [404, { error: { code: '404', message: 'Resource not found' } }],
      [404, page('Models and deployments')],
      [405, { detail: 'Method Not Allowed' }],
      [404, ''],
      [404, { timestamp: 1, status: 404, error: 'Not Found', path: '/chat/completions' }],
      [400, page('400 The plain HTTP request was sent to HTTPS port')],
    ],
  ],
  [
    'between',
    [403, 200]
      .map((status) => [status, page('Open WebUI')])
      .concat([
        [407, ''],
        [511, page('Login')],
      ]) as Reply[],
  ],
  [
    'credit',
    [
      [429, code('insufficient_quota')],
      [429, code('billing_not_active')],
      [400, code('billing_hard_limit_reached')],
      [400, open('Your credit balance is too low to access the Anthropic API.')],
      [400, open('You have reached your specified API usage limits.')],
      [402, { type: 'error', error: { type: 'billing_error', message: 'no' } }],
      [429, open('no', { type: 'rate_limit_error', details: { error_code: 'enforced_spend_limit_reached' } })],
      [403, xai("Your newly created team doesn't have any credits yet.")],
      [429, xai('Your team 00 has either used all available credits or reached its monthly spending limit.')],
      [401, { detail: { code: 'payment_issue', status: 'payment_issue', message: 'no' } }],
      [402, { detail: 'No balance' }],
      [429, google('Your prepayment credits are depleted.')],
      [403, { error: { message: 'x', details: [{ reason: 'BILLING_DISABLED' }] } }],
      [200, { error: { code: 402, message: 'Insufficient credits' } }],
      [402, open('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' })],
      [400, open('ExceededBudget: over budget', { type: 'budget_exceeded', code: '400' })],
      [429, { error: { code: '1113', message: 'Your account is in arrears. Please recharge.' } }],
      [200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
      [403, { code: 30001, message: 'Sorry, your account balance is insufficient' }],
      [403, code('pre_consume_token_quota_failed: token quota is not enough')],
      [400, { error: 'You have exceeded your monthly included credits' }],
      [401, { detail: { status: 'quota_exceeded', message: 'no' } }],
    ],
  ],
  [
    'quota',
    [
      [429, google('x', quotaOf('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), { retryDelay: '34s' }), 34],
      [429, { error: { type: 'usage_limit_reached', message: 'The usage limit has been reached' } }],
    ],
  ],
  [
    'rate',
    [
      [429, { detail: { status: 'system_busy', message: 'no' } }],
      [429, { code: 'Throttling.AllocationQuota', message: 'Allocated quota exceeded.' }],
      [429, google('x', quotaOf('GenerateRequestsPerMinutePerProjectPerModel'), { retryDelay: '34.5s' }), 34.5],
      [429, open('Rate limit reached for m on tokens per min (TPM)', { type: 'tokens', code: 'rate_limit_exceeded' })],
      [200, { error: { code: 429, message: 'busy' } }],
      [200, { type: 'error', error: { type: 'rate_limit_error', message: 'no' } }],
      [429, { detail: { status: 'too_many_concurrent_requests' } }],
      [429, code('3505')],
      [429, page('Too many requests')],
    ],
  ],
  [
    'length',
    [
      [400, code('context_length_exceeded')],
      [400, code('string_above_max_length')],
      [400, open('prompt is too long: 1050000 tokens > 1000000 maximum')],
      [400, google('The input token count (1200000) exceeds the maximum number of tokens allowed')],
      [400, xai("This model's maximum prompt length is 256000 but the request contains 300000")],
      [400, open('audio duration 1500 seconds is longer than 1400 seconds', { code: 'invalid_value' })],
      [413, '<html>413 Request Entity Too Large</html>'],
      [413, { error: { code: 'tokens_limit_reached', message: 'Request body too large. Max size: 8000 tokens.' } }],
      [400, { error: 'The model is loaded with context length of only 4096 tokens, which is not enough.' }],
      [500, open('context shift is disabled', { code: 500, type: 'server_error' })],
      [400, code('model_max_prompt_tokens_exceeded')],
      [400, { detail: { status: 'file_too_large' } }],
    ],
  ],
  ['json', [[400, open('no', { code: 'json_validate_failed', failed_generation: 'secret words' })]]],
  [
    'model',
    [
      [404, code('model_not_found')],
      [404, { type: 'error', error: { type: 'not_found_error', message: 'model: m' } }],
      [404, { error: { code: 404, message: 'models/m is not found for API version v1beta', status: 'NOT_FOUND' } }],
      [404, { code: 'Some requested entity was not found', error: 'The model m does not exist' }],
      [400, xai('Model not found: m')],
      [400, open('The model `m` is no longer supported.', { code: 'model_decommissioned' })],
      [400, code('model_terms_required')],
      [410, {}],
      [404, code('DeploymentNotFound')],
      [404, { error: { message: 'model "m" not found, try pulling it first', type: 'not_found_error' } }],
      [404, { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 }],
      [404, { error: { code: 404, message: 'No endpoints found for a/b' } }],
      [401, { error: { type: 'key_model_access_denied', message: 'key not allowed to access model.', code: '401' } }],
      [400, open('Model Not Exist', { code: 'invalid_request_error' })],
      [400, { object: 'error', message: 'Invalid model: m', type: 'invalid_model', code: '1500' }],
      [503, code('model_not_found')],
    ],
  ],
  [
    'key',
    [
      [400, xai('Incorrect API key provided: xa***…. You can obtain one.')],
      [400, { error: { code: 400, message: 'no', details: [{ reason: 'API_KEY_INVALID' }] } }],
      [400, open('no', { details: { error_code: 'organization_on_hold' } })],
      [401, { detail: { code: 'invalid_api_key', message: 'no' } }],
      [403, { detail: 'Invalid key' }],
      [200, { base_resp: { status_code: 1004, status_msg: 'login fail' } }],
      [500, { error: { code: 401, message: 'no', type: 'x' } }],
      [400, open('Authentication Error, No api key passed in.', { type: 'auth_error', code: '400' })],
      [400, code('organization_restricted')],
    ],
  ],
  [
    'outage',
    [
      [499, { error: { code: 499, message: 'The operation was cancelled.', status: 'CANCELLED' } }],
      [502, '<html><center>nginx</center></html>'],
      [200, { choices: [{ finish_reason: 'error', error: { code: 502, message: 'Upstream error' } }] }],
      [200, [{ error: { code: 503, message: 'overloaded' } }]],
      [200, { type: 'error', error: { type: 'overloaded_error', message: 'no' } }],
      [200, { error: 'something odd' }],
      [424, {}],
      [503, page('503 Service Temporarily Unavailable')],
      [200, { code: 500, msg: 'error', data: null }],
    ],
  ],
  [
    'request',
    [
      [422, { detail: [{ loc: [], msg: 'no', type: 'x' }] }],
      [400, open('temperature is greater than the maximum of 1')],
      [400, open('This model only support stream mode', { param: 'stream', code: 'invalid_parameter_error' })],
      [501, { error: { code: 501, message: 'This server does not support chat', type: 'not_supported_error' } }],
      [400, open('`max_tokens` must be at most 4096, which is less than the `context_window` for this model')],
    ],
  ],
  ['tokens_at_once', [429, 413].map((status) => [status, open('Request too large for m on tokens per min (TPM)')])],
];

describe('The cause in an error reply', () => {
  for (const [cause, replies] of REPLIES)
    for (const [status, body, waitS] of replies)
      it(`is ${cause} for ${status} ${JSON.stringify(body).slice(0, 110)}`, () => {
        if (status === 200 && typeof body !== 'string') expect(isErrorBody(body)).to.equal(true);
        const refusal = readRefusal(status, body);
        expect(causeOf(refusal, 'anthropic')).to.equal(cause);
        if (waitS !== undefined) expect(refusal.waitMs).to.equal(waitS * 1_000);
      });

  it('comes with the wait in a member of its own, in seconds unless its name says otherwise', () => {
    for (const [body, ms] of [
      [{ error: { code: 'rate_limited', retry_after: 30 } }, 30_000],
      [{ error: 'x', retry_after_ms: 1_500 }, 1_500],
      [{ error: { type: 'usage_limit_reached', resets_in_seconds: 3_600 } }, 3_600_000],
      [{ error: { metadata: { retry_after_seconds: '7' } } }, 7_000],
      [{ error: { retryDelay: '34s' } }, 34_000],
      [{ error: { message: 'Please try again in 42 seconds.' } }, undefined],
    ] as const)
      expect(readRefusal(429, body).waitMs, JSON.stringify(body)).to.equal(ms);
    const end = Date.now() + 60_000;
    const limited = { metadata: { headers: { 'X-RateLimit-Reset': String(end) } } };
    for (const error of [
      limited,
      ...[new Date(end).toISOString(), Math.round(end / 1_000), end].map((at) => ({ resets_at: at })),
    ])
      expect(readRefusal(429, { error }).waitMs).to.be.within(50_000, 61_000);
  });

  it('comes with what the provider said, wherever it says it, once and cut', () => {
    for (const [body, message] of [
      [open('a\u0000b\r\n c'), 'a b c'],
      [{ err_code: 'X', err_msg: 'no' }, 'no'],
      [{ base_resp: { status_code: 1008, status_msg: 'no' } }, 'no'],
      [page('Blocked'), 'Blocked'],
      ['plain text', 'plain text'],
      [{ audio: ['is too short.'] }, 'audio: is too short.'],
      [upstream({ error: { message: 'inner' } }), 'inner'],
      [{ detail: [{ loc: ['body', 'a'], msg: 'one' }, { msg: 'two' }, { msg: 'two' }] }, 'one two'],
      [open('y'.repeat(501)), 'y'.repeat(500)],
      [{}, null],
    ] as const)
      expect(readRefusal(400, body).message, JSON.stringify(body)).to.equal(message);
    const { message, code, param } = readRefusal(400, open('key sk-1', { code: 'sk-1', param: 'sk-1' }), ['sk-1']);
    expect([message, code, param]).to.deep.equal(['key ***', null, null]);
  });

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
});
