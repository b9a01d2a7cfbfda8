/** The causes in the error replies of providers, gateways, model servers and proxies, in the shapes that their users publish. */
import { expect } from 'chai';
import { causeOf, type Cause } from '../../../activities/providers/provider-faults.ts';
import { isErrorBody, readRefusal } from '../../../activities/providers/read-refusal.ts';

/** A sentence is the message of an error in OpenAI's shape. Some replies name a wait in seconds. */
type Reply = [status: number, body: unknown, waitS?: number];

/** Texts that are no message, but the whole body. */
const BODIES = /^(<|$|Not Found|404 page|error code)/;

const page = (title: string) => `<!-- x -->\n<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
const code = (value: string) => ({ error: { code: value, message: 'no' } });
const open = (message: string, more: object = {}) => ({ error: { message, type: 'invalid_request_error', ...more } });
const google = (message: string, ...details: object[]) => ({
  error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details },
});
const quotaOf = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});

const REPLIES: [Cause, Reply[]][] = [
  [
    'content',
    [
      [422, 'Harmful content detected in the prompt'],
      [400, 'The request was blocked because of safety reasons'],
      [400, code('prompt_blocked')],
      [400, code('sensitive_words_detected')],
      [400, 'The output contains sensitive information'],
      [422, 'The prompt has unsafe content'],
      [
        400,
        open('The response was filtered', {
          code: 'content_filter',
          innererror: { code: 'ResponsibleAIPolicyViolation' },
        }),
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
      ],
      [
        400,
        { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.', request_id: 'r' },
      ],
      [
        400,
        {
          error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT', details: [{ reason: 'PROHIBITED_CONTENT' }] },
        },
      ],
      [400, 'Content Exists Risk'],
      [400, 'Your prompt was flagged as potentially violating our usage policy.'],
      [400, 'litellm.ContentPolicyViolationError: AzureException - filtered'],
      [400, "{'error': 'Violated guardrail policy'}"],
      [400, "{'error': 'Violated OpenAI moderation policy'}"],
      [403, code('moderation_blocked')],
      [400, { error: { code: '1301', message: '系统检测到输入可能包含敏感内容' } }],
      [200, { choices: [{ error: { code: 403, metadata: { raw: JSON.stringify(code('content_filter')) } } }] }],
    ],
  ],
  [
    'region',
    [
      [403, code('restricted_country')],
      [403, code('unsupported_region')],
      [403, 'This service is unavailable in your country'],
      [403, 'Requests from this location are blocked'],
      [403, open('Country, region, or territory not supported', { code: 'unsupported_country_region_territory' })],
      [
        400,
        {
          error: {
            code: 400,
            message: 'User location is not supported for the API use.',
            status: 'FAILED_PRECONDITION',
          },
        },
      ],
      [403, { type: 'error', error: { type: 'forbidden', message: 'Request not allowed' } }],
      [403, { error: 'This model is not available in your region.' }],
      [451, {}],
      [403, 'Access denied. Please check your network settings.'],
      [400, 'The free tier is not available in your country.'],
      [400, 'Access to these models is not allowed from unsupported countries, regions, or territories.'],
      [403, 'This model is not accessible from your location'],
      [403, code('geo_blocked')],
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
      [404, 'Invalid URL (POST /chat/completions)'],
      [200, { error: 'Unexpected endpoint or method. (POST /chat/completions)' }],
      [404, { message: 'no Route matched with those values' }],
      [404, 'Not Found'],
      [404, ''],
      [404, { timestamp: 1, status: 404, error: 'Not Found', path: '/chat/completions' }],
      [404, { fault: { text: 'Unable to identify proxy' } }],
      [400, page('400 The plain HTTP request was sent to HTTPS port')],
      [404, page('404 Not Found')],
    ],
  ],
  [
    'between',
    [
      [403, page('Models and deployments')],
      [200, page('Models and deployments')],
      [407, ''],
      [403, 'error code: 1020'],
      [429, page('Just a moment...')],
      [503, page('Attention Required!')],
      [403, 'Access denied due to Virtual Network/Firewall rules.'],
      [403, 'Public access is disabled. Please configure private endpoint.'],
      [403, 'Access Denied (policy_denied)'],
      [511, page('Login')],
      [200, page('Open WebUI')],
    ],
  ],
  [
    'credit',
    [
      [400, 'The account has a negative balance'],
      [403, 'You have exhausted all your credits'],
      [429, google('Your prepayment credits are depleted.')],
      [
        403,
        {
          error: { message: 'This method requires billing to be enabled.', details: [{ reason: 'BILLING_DISABLED' }] },
        },
      ],
      [403, code('AllocationQuota.FreeTierOnly: The free tier of the model has been exhausted')],
      [412, 'Account a is suspended, possibly due to failure to pay past invoices.'],
      [403, 'A valid credit card on file is required'],
      [429, 'Trial credits exhausted'],
      [403, 'No active subscription for this workspace'],
      [403, { error: 'Недостаточно средств' }],
      [200, { error: { code: 402, message: 'Insufficient credits' } }],
      [
        402,
        {
          error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
        },
      ],
      [400, { error: { message: 'ExceededBudget: over budget', type: 'budget_exceeded', param: null, code: '400' } }],
      [429, { error: { code: '1113', message: 'Your account is in arrears. Please recharge.' } }],
      [200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
      [400, 'ExceededTokenBudget: Current spend for token: 7; Max Budget for Token: 2'],
      [429, 'No deployments available - crossed budget for provider: Exceeded budget for provider openai'],
      [403, 'Key limit exceeded (total limit).'],
      [403, 'Insufficient account balance. Please top up'],
      [403, { code: 30001, message: 'Sorry, your account balance is insufficient' }],
      [429, 'Your account is suspended, please check your plan and billing details'],
      [403, code('pre_consume_token_quota_failed: token quota is not enough')],
      [403, { error: { message: '用户额度不足' } }],
      [400, { error: 'You have exceeded your monthly included credits' }],
      [401, { detail: { status: 'quota_exceeded', message: 'no' } }],
      [402, { err_code: 'PAYMENT', err_msg: 'no' }],
      [403, { error: 'this model requires a subscription' }],
    ],
  ],
  [
    'quota',
    [
      [429, code('project_usage_limit_exceeded')],
      [403, 'You have reached your usage limit for this billing cycle.'],
      [429, 'Quota exhausted'],
      [403, { statusCode: 403, message: 'Out of call volume quota.' }],
      [429, 'Your trial key is limited to 1000 API calls / month'],
      [429, 'You have reached the daily cap of 500 requests'],
      [429, { message: 'Tokens per day limit exceeded', code: 'token_quota_exceeded' }],
      [
        429,
        google(
          'You exceeded your current quota, please check your plan and billing details.',
          quotaOf('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
          { retryDelay: '34s' },
        ),
      ],
      [429, google('Quota exceeded for metric: free_tier_requests, limit: 0, model: m')],
      [
        429,
        'Rate limit reached for model `m` on tokens per day (TPD): Limit 100000, Used 99000. Please try again in 7m12.5s.',
        432.5,
      ],
      [429, { error: { code: 429, message: 'Rate limit exceeded: free-models-per-day' } }],
      [429, 'You exceeded your current quota, please check your plan and billing details.'],
      [429, { error: "you've reached your weekly usage limit" }],
      [429, 'Rate limit of 50 per 86400s exceeded for UserByModelByDay.'],
      [429, 'Number of request tokens has exceeded your daily rate limit'],
      [403, 'Key limit exceeded (daily limit).'],
      [429, 'BedrockException - Too many tokens per day, please wait before trying again.'],
      [429, { error: { type: 'usage_limit_reached', message: 'The usage limit has been reached' } }],
    ],
  ],
  [
    'rate',
    [
      [400, 'Rate limit exceeded, try again later'],
      [429, 'The usage limit of 30 requests per minute is reached'],
      [429, 'This request would exceed your rate limit. Please reduce the prompt length or try again later.'],
      [429, { code: 'Throttling.AllocationQuota', message: 'Allocated quota exceeded.' }],
      [429, 'Rate limit reached on requests per min. You can increase it: a payment method is required.'],
      [
        429,
        google(
          'You exceeded your current quota. Please retry in 34.5s.',
          quotaOf('GenerateRequestsPerMinutePerProjectPerModel'),
          { retryDelay: '34s' },
        ),
        34.5,
      ],
      [
        429,
        'Rate limit reached for m on tokens per min (TPM): Limit 30000, Used 28000, Requested 3000. Please try again in 2s.',
        2,
      ],
      [200, { error: { code: 429, message: 'busy' } }],
      [200, { type: 'error', error: { type: 'rate_limit_error', message: 'no' } }],
      [429, 'Resource has been exhausted (e.g. check quota).'],
      [429, 'Quota exceeded for requests per minute'],
      [429, { detail: { status: 'too_many_concurrent_requests' } }],
      [429, "This request would exceed your organization's rate limit of 30,000 input tokens per minute"],
      [429, 'Too many tokens, please wait before trying again.'],
      [429, code('3505')],
    ],
  ],
  [
    'length',
    [
      [400, 'The uploaded file exceeds the size limit'],
      [400, 'Audio longer than 2 hours is not supported'],
      [400, 'exceeds the maximum allowed input length of 131,072 tokens'],
      [400, 'Your request exceeded model token limit: 8192'],
      [400, 'The prompt has too many tokens (9000).'],
      [400, 'The decoder prompt is longer than the maximum model length of 4096.'],
      [400, 'The audio exceeds the maximum duration of 30 minutes'],
      [400, 'File size exceeds the limit of 25 MB'],
      [400, { detail: { status: 'audio_too_long' } }],
      [
        400,
        {
          error: {
            message: 'The total length of all messages is too long.',
            type: 'too_many_prompt_tokens',
            code: 400,
          },
        },
      ],
      [
        422,
        {
          error:
            '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 8192 `max_new_tokens`',
        },
      ],
      [413, '<html>413 Request Entity Too Large</html>'],
      [413, { error: { code: 'tokens_limit_reached', message: 'Request body too large. Max size: 8000 tokens.' } }],
      [400, { error: 'The model is loaded with context length of only 4096 tokens, which is not enough.' }],
      [400, 'ContextWindowExceededError: Input is too long for requested model.'],
      [400, { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081' }],
      [400, 'Range of input length should be [1, 30720]'],
      [500, 'context shift is disabled'],
      [400, code('model_max_prompt_tokens_exceeded')],
      [400, { detail: { status: 'file_too_large' } }],
    ],
  ],
  [
    'json',
    [
      [500, 'Model output is not valid JSON'],
      [400, 'Could not generate a response that conforms to the schema'],
      [400, open('Failed to generate JSON', { code: 'json_validate_failed', failed_generation: 'secret words' })],
      [422, 'Model failed to produce valid JSON output'],
      [500, 'Failed to parse model output as JSON'],
      [400, code('json_validate_failed')],
    ],
  ],
  [
    'model',
    [
      [400, 'Model `m` is not deployed'],
      [400, 'Failed: LLM Provider NOT provided. Pass in the LLM provider.'],
      [400, code('model_terms_required')],
      [403, { err_code: 'DENIED', err_msg: 'Project does not have access to the requested model.' }],
      [503, { error: { message: '对于模型 m 无可用渠道' } }],
      [400, 'Model `m` is not available'],
      [
        400,
        open('The model `m` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }),
      ],
      [400, open('The model gpt-4.1 was deprecated', { code: 'model_deprecated' })],
      [410, {}],
      [404, open('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' })],
      [404, { detail: "Model 'm' is not installed locally." }],
      [404, { error: { code: 404, message: 'No endpoints found for a/b' } }],
      [400, "{'error': 'Invalid model name passed in model=gpt-5.'}"],
      [401, { error: { type: 'key_model_access_denied', message: 'key not allowed to access model.', code: '401' } }],
      [403, 'Your organization must be verified to use the model `o3`.'],
      [403, code('model_permission_blocked_project')],
      [403, `BedrockException - {"Message":"You don't have access to the model with the specified model ID."}`],
      [400, 'The provided model identifier is invalid.'],
      [400, 'Retry your request with the ID of an inference profile that contains it.'],
      [400, 'The chatCompletion operation does not work with the specified model'],
      [400, 'Model Not Exist'],
      [422, 'Model qwen3:8b is not supported'],
      [400, { error: 'No models loaded. Please load a model.' }],
      [503, code('model_not_found')],
    ],
  ],
  [
    'key',
    [
      [403, google('Consumer has been suspended.', { reason: 'CONSUMER_SUSPENDED' })],
      [400, 'This credential is only authorized for another product'],
      [400, 'API key is required'],
      [403, 'The subscription key is required'],
      [200, { base_resp: { status_code: 1004, status_msg: 'login fail' } }],
      [500, { error: { code: 401, message: 'no', type: 'x' } }],
      [400, { error: { message: 'Authentication Error, No api key passed in.', type: 'auth_error', code: '400' } }],
      [400, 'This organization has been disabled.'],
      [401, 'Your access was terminated due to violation of our policies'],
      [400, code('organization_restricted')],
      [500, 'AuthenticationError: OpenAIException - Error code: 401'],
      [500, 'APIConnectionError: Unable to locate credentials'],
      [200, { success: false, errors: [{ message: 'Authentication error', code: 10_000 }] }],
    ],
  ],
  [
    'outage',
    [
      [502, '<html><center>nginx</center></html>'],
      [200, { choices: [{ finish_reason: 'error', error: { code: 502, message: 'Upstream error' } }] }],
      [200, [{ error: { code: 503, message: 'overloaded' } }]],
      [200, { type: 'error', error: { type: 'overloaded_error', message: 'no' } }],
      [200, { error: 'something odd' }],
      [424, {}],
      [400, { error: 'The model has crashed without additional information. (Exit code: 1)' }],
      [400, { error: 'Model unloaded.' }],
      [400, 'bad response status code 503 (request id: 2026)'],
      [503, 'The model is overloaded. Please try again later.'],
      [500, 'model runner has unexpectedly stopped'],
      [503, page('503 Service Temporarily Unavailable')],
      [200, { code: 500, msg: 'error', data: null }],
    ],
  ],
  [
    'request',
    [
      [400, 'Request body is not valid JSON'],
      [400, 'temperature is greater than the maximum of 1'],
      [400, 'max_tokens exceeds the maximum length of the answer'],
      [404, 'No endpoints found that can handle the requested parameters.'],
      [400, open('This model only support stream mode', { param: 'stream', code: 'invalid_parameter_error' })],
      [501, { error: { code: 501, message: 'This server does not support chat', type: 'not_supported_error' } }],
      [500, { error: { message: "Error code: 400 - {'error': {'message': 'x is wrong'}}", code: '500' } }],
      [400, "Invalid file format. Supported formats: ['flac', 'm4a']"],
      [400, '`max_tokens` must be at most 4096, which is less than the `context_window` for this model'],
      [400, 'Failed to parse the request body as JSON'],
    ],
  ],
  [
    'tokens_at_once',
    [
      [
        429,
        'Request too large for m on tokens per min (TPM): Limit 30000, Requested 37313. The input or output tokens must be reduced.',
      ],
      [413, 'Request too large for model `m` on tokens per minute'],
    ],
  ],
];

describe('The cause in an error reply', () => {
  for (const [cause, replies] of REPLIES)
    for (const [status, body, waitS] of replies)
      it(`is ${cause} for ${status} ${JSON.stringify(body).slice(0, 110)}`, () => {
        const isSentence = typeof body === 'string' && !BODIES.test(body);
        const reply = isSentence ? open(body, { param: null, code: null }) : body;
        if (status === 200 && typeof reply !== 'string') expect(isErrorBody(reply)).to.equal(true);
        const refusal = readRefusal(status, reply);
        expect(causeOf(refusal)).to.equal(cause);
        if (waitS !== undefined) expect(refusal.waitMs).to.equal(waitS * 1_000);
      });

  it('comes with the wait in a member of its own, in seconds unless its name says otherwise', () => {
    for (const [body, ms] of [
      [{ error: { code: 'rate_limited', retry_after: 30 } }, 30_000],
      [{ error: 'x', retry_after_ms: 1_500 }, 1_500],
      [{ error: { type: 'usage_limit_reached', resets_in_seconds: 3_600 } }, 3_600_000],
      [{ error: { metadata: { retry_after_seconds: '7' } } }, 7_000],
      [{ error: { message: 'Expected available in 42 seconds.' } }, 42_000],
      [{ error: { retryDelay: '34s' } }, 34_000],
    ] as const)
      expect(readRefusal(429, body).waitMs, JSON.stringify(body)).to.equal(ms);
    const end = Date.now() + 60_000;
    for (const resets_at of [new Date(end).toISOString(), Math.round(end / 1_000), end])
      expect(readRefusal(429, { error: { resets_at } }).waitMs).to.be.within(50_000, 61_000);
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
