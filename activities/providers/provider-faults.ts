/** Maps the error replies of all providers to causes. docs/own-models.md, "Why a call fails". */
import type { ProviderFault } from '../../contract/values/constants.ts';
import type { Refusal } from './read-refusal.ts';

/** Every cause and its fault. */
export const CAUSES = {
  key: 'auth',
  region: 'auth',
  content: 'refused',
  url: 'bad_input',
  between: 'unavailable',
  model: 'unknown_model',
  credit: 'quota_exceeded',
  quota: 'quota_exceeded',
  length: 'too_large',
  tokens_at_once: 'too_large',
  json: 'incomplete',
  request: 'bad_input',
  rate: 'rate_limited',
  timeout: 'timeout',
  outage: 'unavailable',
} as const satisfies Record<string, ProviderFault>;

export type Cause = keyof typeof CAUSES;

interface CauseRule {
  statuses?: readonly number[];
  /** Matches the codes and sentences of the reply. */
  says?: RegExp;
  /** `says` must match what follows this. */
  after?: RegExp;
  /** Whether the reply is a web page. */
  isPage?: true;
  cause: Cause;
}

/**
 * The first matching rule counts. An omitted condition always matches. What a reply says comes before its status, because
 * gateways use one status for many causes.
 */
const RULES: readonly CauseRule[] = [
  { isPage: true, statuses: [400, 404, 405, 410], cause: 'url' },
  { isPage: true, statuses: [200, 401, 403, 407, 451], cause: 'between' },
  { statuses: [407], cause: 'between' },
  {
    statuses: [401, 403, 429, 503],
    says: /error code: 10\d\d\b|captcha|cloudflare|just a moment|blocked by (?:network|a? ?firewall|your)|zscaler|fortinet/i,
    cause: 'between',
  },
  {
    statuses: [200, 400, 404, 405],
    says: /unexpected endpoint|invalid url|unknown (?:endpoint|route|path|request url)|no route|cannot post \/|page not found|(?:endpoint|route) not found/i,
    cause: 'url',
  },

  {
    says: /content_?filter|content_policy_violation|responsible_?ai|content management policy|content filtering policy|\binvalid_prompt\b|requires moderation|input was flagged|violates? (?:our |the )?(?:usage|content) (?:guidelines|policy|policies)|SAFETY_CHECK_TYPE|data_?inspection_?failed|prohibited_content|safety system|blocked by .{0,20}(?:safety|content)/i,
    cause: 'content',
  },
  {
    says: /unsupported_country|unsupported countries|(?:country|region|territory|location)[\w ,-]{0,40} (?:is |are )?not (?:supported|available|allowed|served)|not (?:available|supported|allowed|offered) in (?:your|this) (?:country|region|location|territory)|region_unavailable|request not allowed|access denied due to (?:region|location)/i,
    cause: 'region',
  },
  { statuses: [451], cause: 'region' },

  {
    says: /insufficient[_ ](?:quota|balance|credits?|funds|user_quota)|billing_(?:not_active|hard_limit_reached|error)|credit balance|spend(?:ing)?[_ ]limit|API usage limits|all available credits|any credits|more credits|out of credits|can only afford|payment[_ ](?:issue|required)|budget[_ ](?:has been |is )?exceeded|exceeded ?budget|over budget|quota_exceeded|account (?:is )?in arrears|\barrearage\b|recharge/i,
    cause: 'credit',
  },
  { statuses: [402], cause: 'credit' },
  {
    says: /per[_ -]?day(?!\w)|PerDay|daily (?:limit|quota|request)|\b(?:RPD|TPD|ASD)\b|limit: 0\b|weekly limit|monthly (?:limit|quota)|^(?![\s\S]*(?:per ?minute|retry in))[\s\S]*exceeded your current quota/i,
    statuses: [400, 403, 429],
    cause: 'quota',
  },

  {
    says: /request too large for|tokens per min[\s\S]{0,80}must be reduced/i,
    statuses: [413, 429],
    cause: 'tokens_at_once',
  },
  {
    // The fourth line is from vLLM, llama-server, Ollama and Text Generation Inference.
    says: /context_length_exceeded|string_above_max_length|too_many_prompt_tokens|length of all messages is too long|maximum prompt length|input_too_large|request_too_large|prompt is too long|exceed context limit|token count[^a-z.]{0,40}exceeds|longer than \d+ seconds|maximum content size|(?:file|audio|recording|input) is too (?:large|long)|maximum context|exceed_context_size|context (?:length|size|window)|must be <= \d+\. Given: \d+/i,
    cause: 'length',
  },
  { statuses: [413], cause: 'length' },

  {
    says: /model produced output that does not match|json_validate_failed|failed to generate (?:valid )?json|tool_use_failed|failed_generation/i,
    cause: 'json',
  },

  {
    says: /model_?not_?found|unknown_model|invalid_model|model_(?:deprecated|decommissioned|not_available|not_supported)|deployment_?not_?found|unsupported_model|no such model|unknown model|not a valid model|no endpoints/i,
    cause: 'model',
  },
  {
    after: /\bmodels?\b/i,
    says: / (?:decommissioned|retired|discontinued|no longer|shut ?down|sunset|end[- ]of[- ]life|(?:does|do) not exist|(?:is|was|been) (?:deprecated|removed)|not (?:found|installed))/i,
    cause: 'model',
  },
  { statuses: [410], cause: 'model' },
  { statuses: [404], says: /model|deployment|engine/i, cause: 'model' },
  { statuses: [404, 405], cause: 'url' },

  {
    says: /incorrect api key|invalid[_ ]api[_ ]key|api_key_invalid|organization_on_hold|no auth credentials/i,
    cause: 'key',
  },
  { statuses: [401, 403], cause: 'key' },
  { statuses: [429, 498], cause: 'rate' },
  { statuses: [504, 524], cause: 'timeout' },
  // 424: the model's server behind a gateway failed. 499: Gemini canceled the call.
  { statuses: [408, 409, 424, 425, 499], cause: 'outage' },
];

function textAfter(words: string, start?: RegExp): string {
  const found = start?.exec(words);
  return found ? words.slice(found.index + found[0].length) : start ? '' : words;
}

/** Returns the cause of an error reply. */
export function causeOf({ status, words, isPage }: Pick<Refusal, 'status' | 'words' | 'isPage'>): Cause {
  const rule = RULES.find(
    ({ statuses, says, after, isPage: page = isPage }) =>
      (statuses?.includes(status) ?? true) && page === isPage && (says?.test(textAfter(words, after)) ?? true),
  );
  return rule?.cause ?? (status >= 500 || status < 400 ? 'outage' : 'request');
}
