/** The causes of refused calls, from statuses and from the codes that vendors publish. docs/own-models.md, "Why a call fails". */
import type { ProviderFault, ProviderName } from '../../../contract/values/constants.ts';
import type { Refusal } from './read-refusal.ts';

/** Every cause and its fault. If a reply has codes of several causes, the first of them counts. */
export const CAUSES = {
  content: 'refused',
  region: 'auth',
  credit: 'quota_exceeded',
  quota: 'quota_exceeded',
  tokens_at_once: 'too_large',
  length: 'too_large',
  json: 'incomplete',
  model: 'unknown_model',
  key: 'auth',
  url: 'bad_input',
  between: 'unavailable',
  request: 'bad_input',
  rate: 'rate_limited',
  timeout: 'timeout',
  outage: 'unavailable',
} as const satisfies Record<string, ProviderFault>;

export type Cause = keyof typeof CAUSES;

/** Codes by vendor, in any case. A vendor's own name counts only for calls to it. */
const CODES: [vendor: string, Partial<Record<Cause, string>>][] = [
  [
    'OpenAI and compatible servers',
    {
      content: 'content_filter content_policy_violation invalid_prompt moderation_blocked',
      region: 'unsupported_country_region_territory',
      credit: 'insufficient_quota billing_not_active billing_hard_limit_reached',
      quota: 'usage_limit_reached',
      length: 'context_length_exceeded string_above_max_length input_too_large request_too_large',
      model: 'model_not_found model_deprecated NotFoundError not_found_error',
      key: 'invalid_api_key account_deactivated',
      rate: 'rate_limit_exceeded too_many_requests',
      outage: 'server_error service_unavailable',
    },
  ],
  [
    'Azure, GitHub Models',
    {
      content: 'ResponsibleAIPolicyViolation',
      length: 'tokens_limit_reached model_max_prompt_tokens_exceeded',
      model: 'DeploymentNotFound OperationNotSupported ServiceModelDeprecated unknown_model',
    },
  ],
  [
    'Anthropic',
    {
      credit: 'billing_error enforced_spend_limit_reached contract_spend_limit_reached',
      key: 'authentication_error permission_error organization_on_hold',
      rate: 'rate_limit_error',
      timeout: 'timeout_error',
      outage: 'overloaded_error api_error',
    },
  ],
  ['anthropic', { region: 'forbidden' }],
  [
    'Gemini, Vertex',
    {
      content: 'prohibited_content',
      region: 'failed_precondition',
      credit: 'billing_disabled',
      model: 'not_found',
      key: 'api_key_invalid permission_denied unauthenticated',
      rate: 'resource_exhausted',
      timeout: 'deadline_exceeded',
      outage: 'unavailable internal',
    },
  ],
  // xAI sends sentences as codes.
  ['xAI', { model: 'some_requested_entity_was_not_found' }],
  [
    'ElevenLabs',
    { credit: 'quota_exceeded payment_issue', length: 'audio_too_long file_too_large', rate: 'system_busy' },
  ],
  ['OpenRouter', { content: 'flagged_input' }],
  [
    'Groq, Mistral, Together',
    {
      json: 'json_validate_failed tool_use_failed output_parse_failed',
      model:
        'model_decommissioned model_terms_required model_permission_blocked_project invalid_model model_not_available',
      key: 'organization_restricted',
      rate: 'rate_limited',
    },
  ],
  ['llama-server, Text Generation Inference', { length: 'exceed_context_size_error' }],
  [
    'LiteLLM',
    { credit: 'budget_exceeded', model: 'key_model_access_denied team_model_access_denied', key: 'auth_error' },
  ],
  [
    'DashScope, MiniMax, Moonshot, SiliconFlow, Z.ai, One API',
    {
      content: 'DataInspectionFailed data_inspection_failed sensitive_words_detected prompt_blocked 1026 1027 1301',
      credit:
        'Arrearage AllocationQuota.FreeTierOnly exceeded_current_quota_error insufficient_user_quota pre_consume_token_quota_failed 1008 1113 30001',
      model: 'ModelNotFound resource_not_found_error 1211',
      key: 'InvalidApiKey invalid_authentication_error 1004',
      rate: 'Throttling.AllocationQuota Throttling.RateQuota rate_limit_reached_error',
      outage: 'engine_overloaded_error',
    },
  ],
  [
    'Bedrock',
    { quota: 'ServiceQuotaExceededException', model: 'ResourceNotFoundException', rate: 'ThrottlingException' },
  ],
];

/** Parts of sentences, for replies whose code says less or that have none. */
const PHRASES: [phrase: string, Cause][] = [
  ['usage guidelines', 'content'], // xAI
  ['content exists risk', 'content'], // DeepSeek
  ['api usage limits', 'credit'], // Anthropic
  ['credit balance', 'credit'], // Anthropic
  ['credits', 'credit'], // Gemini, Hugging Face, xAI
  ['request too large for', 'tokens_at_once'], // Groq, OpenAI
  ['prompt is too long', 'length'], // Anthropic
  ['input token count', 'length'], // Gemini
  ['maximum prompt length', 'length'], // xAI
  ['context length', 'length'], // LM Studio, OpenRouter, vLLM
  ['seconds is longer than', 'length'], // OpenAI's transcriptions
  ['model not', 'model'], // DeepSeek: exist, xAI: found
  ['no endpoints found', 'model'], // OpenRouter
  ['context shift', 'length'], // llama-server
  ['incorrect api key', 'key'], // xAI
];

/** What a status means; others from 500 on or below 400 are an outage, others a refused request. */
const STATUSES = byKey<number>({
  credit: [402],
  length: [413],
  model: [410],
  key: [401, 403],
  region: [451],
  url: [404, 405],
  between: [407, 511],
  request: [501],
  rate: [429, 498],
  timeout: [504, 524],
  // 424: the model's server behind a gateway failed. 499: Gemini canceled the call.
  outage: [408, 409, 424, 425, 499],
});

/** What the status of a web page means, if it is not that of any other reply. */
const PAGES = byKey<number>({ url: [400, 404, 405, 410], between: [200, 401, 403, 407, 451] });

const SHARED = codesOf((vendor) => vendor !== 'anthropic');
const ANTHROPIC = codesOf(() => true);

/** Causes that an HTTP status says better than a code. */
const GENERAL: readonly Cause[] = ['rate', 'timeout', 'outage'];

/** Returns the cause of an error reply. A code or phrase comes before the status, because gateways use one for many causes. */
export function causeOf({ status, codes, text, isPage }: Refusal, provider?: ProviderName): Cause {
  const said = text.toLowerCase();
  const known = provider === 'anthropic' ? ANTHROPIC : SHARED;
  const causes = [
    isPage ? PAGES.get(status) : PHRASES.find(([phrase]) => said.includes(phrase))?.[1],
    ...codes.map((code) => (/PerDay/i.test(code) ? 'quota' : known.get(code))),
  ];
  const cause = (Object.keys(CAUSES) as Cause[]).find((each) => causes.includes(each));
  if (cause && !(status >= 400 && GENERAL.includes(cause))) return cause;
  return STATUSES.get(status) ?? (status >= 500 || status < 400 ? 'outage' : 'request');
}

function byKey<K>(table: Partial<Record<Cause, readonly K[]>>): Map<K, Cause> {
  return new Map((Object.keys(table) as Cause[]).flatMap((cause) => (table[cause] ?? []).map((key) => [key, cause])));
}

function codesOf(isOf: (vendor: string) => boolean): Map<string, Cause> {
  const tables = CODES.filter(([vendor]) => isOf(vendor)).map(([, causes]) => Object.entries(causes));
  return new Map(
    tables.flat().flatMap(([cause, codes]) =>
      codes
        .toLowerCase()
        .split(' ')
        .map((code) => [code, cause as Cause]),
    ),
  );
}
