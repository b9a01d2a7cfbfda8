/** The causes in the error replies of gateways, model servers and proxies, in the shapes that their users publish. */
import { expect } from 'chai';
import { causeOf, type Cause } from '../../../activities/providers/provider-faults.ts';
import { isErrorBody, readRefusal } from '../../../activities/providers/read-refusal.ts';

/** A sentence is the message of an error in OpenAI's shape. */
type Reply = [status: number, body: unknown];

const page = (title: string) => `<!-- x -->\n<!DOCTYPE html><html><head><title>${title}</title></head></html>`;
const code = (value: string) => ({ error: { code: value, message: 'no' } });

const REPLIES: [Cause, Reply[]][] = [
  [
    'content',
    [
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
      [422, 'Model failed to produce valid JSON output'],
      [500, 'Failed to parse model output as JSON'],
      [400, code('json_validate_failed')],
    ],
  ],
  [
    'model',
    [
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
      [501, { error: { code: 501, message: 'This server does not support chat', type: 'not_supported_error' } }],
      [500, { error: { message: "Error code: 400 - {'error': {'message': 'x is wrong'}}", code: '500' } }],
      [400, "Invalid file format. Supported formats: ['flac', 'm4a']"],
      [400, '`max_tokens` must be at most 4096, which is less than the `context_window` for this model'],
      [400, 'Failed to parse the request body as JSON'],
    ],
  ],
];

describe('The cause in the reply of a gateway or a model server', () => {
  for (const [cause, replies] of REPLIES)
    for (const [status, body] of replies)
      it(`is ${cause} for ${status} ${JSON.stringify(body).slice(0, 110)}`, () => {
        const isSentence = typeof body === 'string' && /^[^<]/.test(body) && body !== 'Not Found';
        const reply = isSentence ? { error: { message: body, type: 'x', param: null, code: null } } : body;
        if (status === 200 && typeof reply !== 'string') expect(isErrorBody(reply)).to.equal(true);
        expect(causeOf(readRefusal(status, reply))).to.equal(cause);
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
});
