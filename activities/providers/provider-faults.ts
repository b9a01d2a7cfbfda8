/** Maps the error replies of all providers to faults. docs/decisions.md, "Provider faults". */
import type { ProviderFault, ProviderName } from '../../contract/values/constants.ts';

/** Providers and self-hosted servers that report errors like OpenAI. */
const OPENAI_LIKE: readonly ProviderName[] = ['openai', 'whisper', 'grok', 'local'];

interface FaultRule {
  providers?: readonly ProviderName[];
  statuses?: readonly number[];
  /** Matches the codes and the message of the reply. */
  says?: RegExp;
  fault: ProviderFault;
}

/** The first matching rule counts. An omitted condition always matches. Rules with words precede those with only a status. */
const RULES: readonly FaultRule[] = [
  {
    providers: ['openai', 'whisper'],
    says: /insufficient_quota|billing_not_active|billing_hard_limit_reached/,
    fault: 'quota_exceeded',
  },
  // An account without credit gets status 400, 402 or 429, depending on the API version and the kind of limit.
  {
    providers: ['anthropic'],
    says: /billing_error|credit balance|spend[ _]limit|API usage limits/i,
    fault: 'quota_exceeded',
  },
  { providers: ['grok'], says: /all available credits|spending limit|any credits/i, fault: 'quota_exceeded' },
  { providers: ['elevenlabs'], says: /"(code|status)":"(quota_exceeded|payment_issue)"/, fault: 'quota_exceeded' },

  { providers: ['grok'], says: /incorrect api key/i, fault: 'auth' },
  { providers: ['gemini'], says: /API_KEY_INVALID/, fault: 'auth' },
  { providers: ['anthropic'], says: /organization_on_hold/, fault: 'auth' },

  { providers: ['openai', 'whisper'], says: /content_policy_violation|"invalid_prompt"/, fault: 'refused' },
  { providers: ['grok'], says: /violates usage guidelines|SAFETY_CHECK_TYPE/i, fault: 'refused' },
  { providers: ['anthropic'], says: /content filtering policy/i, fault: 'refused' },

  {
    providers: OPENAI_LIKE,
    // The last ones are from vLLM, llama-server and Ollama.
    says: /context_length_exceeded|string_above_max_length|maximum prompt length|input_too_large|longer than \d+ seconds|maximum context|exceed_context_size|context (length|size)/i,
    fault: 'too_large',
  },
  { providers: ['anthropic'], says: /prompt is too long|exceed context limit/i, fault: 'too_large' },
  { providers: ['gemini'], says: /token count[^.]{0,30}exceeds/i, fault: 'too_large' },

  // llama-server, after the model generated text that is not an answer. Status 500 would be an outage.
  { providers: OPENAI_LIKE, says: /model produced output that does not match/i, fault: 'incomplete' },

  { providers: OPENAI_LIKE, says: /model_not_found|model not found/i, fault: 'unknown_model' },
  // Aisha has no models: its 404 means an unknown job.
  { providers: ['aisha'], statuses: [404], fault: 'bad_input' },
  { statuses: [404], fault: 'unknown_model' },

  { statuses: [401, 403], fault: 'auth' },
  { statuses: [402], fault: 'quota_exceeded' },
  { statuses: [413], fault: 'too_large' },
  { statuses: [429], fault: 'rate_limited' },
  { statuses: [504], fault: 'timeout' },
  // 499: Gemini canceled the call.
  { statuses: [408, 409, 425, 499], fault: 'unavailable' },
];

/** Returns the fault of an error reply. @param text the codes and the message of the reply, in any order. */
export function faultOfReply(provider: ProviderName, status: number, text = ''): ProviderFault {
  const rule = RULES.find(
    ({ providers, statuses, says }) =>
      (providers?.includes(provider) ?? true) && (statuses?.includes(status) ?? true) && (says?.test(text) ?? true),
  );
  return rule?.fault ?? (status >= 500 ? 'unavailable' : 'bad_input');
}
