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
  /** Matches the codes and sentences of the reply, in lower case and with blanks between the words of an identifier. */
  says?: RegExp;
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
  { statuses: [407, 511], cause: 'between' },
  {
    statuses: [401, 403, 429, 503],
    says: /error code: 10\d\d\b|captcha|cloudflare|just a moment|attention required|\bfirewall\b|private endpoint|blocked by (?:network|your)|(?:system|security) policy|policy denied|zscaler|fortinet/,
    cause: 'between',
  },
  {
    statuses: [200, 400, 404, 405],
    says: /unexpected endpoint|invalid url|unknown (?:endpoint|route|path|request url)|no route|cannot post \/|page not found|(?:endpoint|route) not found/,
    cause: 'url',
  },
  {
    says: /(?:access|account|organization|team|user)\b.{0,20} (?:terminated|deactivated|disabled|restricted|on hold|banned)/,
    cause: 'key',
  },
  {
    says: /content ?filter|content (?:management |filtering )?(?:policy|policies)|content exists risk|responsible ?ai|\binvalid prompt\b|requires moderation|(?:was|were|content|input|prompt) flagged|(?:disallowed|harmful) content|content moderation|moderation (?:policy|blocked|error)|(?:violate[sd]?|violating|violation) (?:\w+ ){0,3}(?:guidelines|policy|policies)|safety (?:check|system|filter)|data ?inspection ?failed|prohibited content|unsafe content|(?:prompt|input|content|output) (?:was |is |has been )?blocked|blocked (?:by|because of|due to|for) .{0,20}(?:safety|content)|guardrail(?! restriction)|(?:contains?|input|output|new) sensitive|sensitive (?:words|content)|敏感/,
    cause: 'content',
  },
  {
    says: /unsupported (?:country|countries|region|location)|(?:country|countries|region|territory|location)[\w' ,]{0,40} (?:is |are )?not (?:supported|available|allowed|served)|(?:not (?:available|supported|allowed|offered|accessible)|unavailable|requests?|access) (?:in|from) (?:your|this) (?:country|region|location|territory|area)|region unavailable|restricted (?:country|region)|request not allowed|access denied due to (?:region|location)|geo ?(?:block|restrict)|check your network settings/,
    cause: 'region',
  },
  { statuses: [451], cause: 'region' },

  {
    says: /insufficient (?:\w+ )?(?:quota|balance|credits?|funds)|(?:balance|quota) is (?:insufficient|not enough)|billing (?:not active|hard limit reached|error|details on|(?:is )?disabled|to be enabled)|credit balance|spend(?:ing)? (?:limit|cap)|api usage limits|(?:all available|any|more|enough|included|out of|all your) credits|credits? (?:limit|card|(?:are|is|have been|has been) (?:depleted|exhausted|used up))|not enough (?:\w+ )?(?:balance|credits?|funds)|paid balance|can only afford|payment (?:issue|required)|budget (?:has been |is )?exceeded|exceeded (?:\w+ )?budget|over budget|(?<!token |rate |allocated )quota exceeded(?! for)|key limit exceeded \((?!daily|weekly|monthly)|requires a subscription|free tier (?:\w+ ){0,4}(?:is|has been) exhausted|suspended\b.{0,80}(?:balance|billing|invoices?|payment|limit)|arrears|arrearage|recharge|top up|余额|额度|欠费/,
    cause: 'credit',
  },
  { statuses: [402], cause: 'credit' },
  {
    says: /(?:per|by|\/) ?(?:day|week|month)\b|24 hours?\b|(?:daily|weekly|monthly) (?:\w+ ){0,2}(?:limit|cap|quota|allocation|allowance|minutes|requests?|tokens)|volume quota|quota for this|quota (?:is|has been) (?:used up|exhausted|reached)|\b(?:rpd|tpd|asd)\b|limit: 0\b|usage (?:limit|quota)(?!.{0,40}per min)|quota exhausted|^(?![\s\S]*(?:per minute|retry in))[\s\S]*exceeded your current quota/,
    statuses: [200, 400, 403, 429],
    cause: 'quota',
  },

  {
    says: /request too large for|tokens per min[\s\S]{0,80}must be reduced/,
    statuses: [413, 429],
    cause: 'tokens_at_once',
  },
  { statuses: [429], says: /rate ?limit|per (?:minute|second|hour)|concurrent|concurrency/, cause: 'rate' },
  {
    statuses: [200, 400, 403, 429],
    says: /(?:credits?|balance|funds|budget|subscription(?! key)|trial|invoice|payment|billing)\b[^.]{0,40} (?:low|depleted|exhausted|exceeded|expired|ended|inactive|required|reached)\b|(?:add a|no active|no remaining|negative|out of|overdue) (?:credits?|balance|funds|budget|subscription|invoice|payment)|overdue|недостаточно средств/,
    cause: 'credit',
  },
  { statuses: [429, 498], cause: 'rate' },
  // A limit of the answer, explained with that of the prompt.
  { statuses: [400], says: /less than the .context window/, cause: 'request' },
  {
    // The last line is from vLLM, llama-server, Ollama and Text Generation Inference.
    says: /string above max length|too many prompt tokens|prompt tokens exceeded|too many tokens: |(?:length of all messages|prompt|input|file|audio|recording) is too (?:large|long|big)|(?:input|request|file) too large|maximum (?:prompt|input) length|(?:range of|reduce the) (?:prompt |input )?length|exceed context limit|token count[^.]{0,40} exceeds|longer than \d+ (?:seconds|minutes|hours)|maximum content size|maximum context|exceed context size|context (?:length|size|window|shift)|must be <= \d+\. given: \d+/,
    cause: 'length',
  },
  { statuses: [413], cause: 'length' },

  {
    says: /output that does not match|json validate failed|failed to (?:generate|produce) (?:valid )?json|(?:could not|unable to) (?:generate|produce) a (?:response|answer)|(?:model|output|completion) (?:\w+ ){0,2}(?:not|invalid) (?:\w+ ){0,2}json|parse model output|tool use failed|failed generation/,
    cause: 'json',
  },

  { statuses: [404], says: /no endpoints found that (?:can handle|support)/, cause: 'request' },
  {
    says: /(?:model|engine) ?not ?(?:found|exist|available|supported)|(?:unknown|invalid|unsupported|specified|no such|not find) model|(?:model|llm) (?:deprecated|decommissioned|access|permission|identifier|terms|provider not|\S+ is not supported)|deployment ?not ?found|not a valid model|no models loaded|no endpoints|(?:access|access to|to use) (?:the |this )?(?:requested )?model|inference profile|模型不存在|使用模型|无可用渠道/,
    cause: 'model',
  },
  {
    says: /\bmodels?\b[\s\S]{0,100} (?:decommissioned|retired|discontinued|no longer|shut ?down|sunset|end of (?:life|support)|(?:does|do) not exist|(?:is|was|been) (?:deprecated|removed)|not (?:found|installed|enabled|available|deployed))/,
    cause: 'model',
  },
  { statuses: [410], cause: 'model' },
  { statuses: [404], says: /model|deployment|engine/, cause: 'model' },
  { statuses: [404, 405], cause: 'url' },

  {
    says: /(?:incorrect|invalid|no|missing|provide an) api key|api key (?:is )?(?:invalid|not valid|expired|required|missing)|no auth credentials|authentication error|auth error|invalid credentials|credential is only authorized|login fail|locate credentials|security token/,
    cause: 'key',
  },
  { statuses: [401, 403], cause: 'key' },
  { statuses: [504, 524], cause: 'timeout' },
  // 424: the model's server behind a gateway failed. 499: Gemini canceled the call.
  { statuses: [408, 409, 424, 425, 499], cause: 'outage' },
  {
    statuses: [400],
    says: /has crashed|model unloaded|failed to load model|service unavailable|overloaded/,
    cause: 'outage',
  },
  { statuses: [400], says: /rate ?limit|too many requests/, cause: 'rate' },
  { statuses: [501], cause: 'request' },
  // A refused parameter, for the rule that adapts requests.
  {
    statuses: [400, 422],
    says: /\b(?:max|output|completion) tokens\b|temperature|reasoning|schema|response format/,
    cause: 'request',
  },
  {
    statuses: [400, 422],
    says: /too many tokens|tokens but the maximum|size limit|token limit|too long|(?:longer|more|greater) than the maximum|exceeds the (?:\w+ )?context|exceeds the model's context|maximum (?:\w+ ){0,2}(?:length|duration|size)|length is \d+ while limit|exceeds the (?:\w+ ){0,2}limit of \d+ ?(?:[kmg]i?b|s)/,
    cause: 'length',
  },
];

/** Returns the cause of an error reply. */
export function causeOf({ status, words, isPage }: Pick<Refusal, 'status' | 'words' | 'isPage'>): Cause {
  const said = words.replaceAll(/(?<=[a-z])(?=[A-Z])|[_-]+/g, ' ').toLowerCase();
  const rule = RULES.find(
    ({ statuses, says, isPage: page = isPage }) =>
      (statuses?.includes(status) ?? true) && page === isPage && (says?.test(said) ?? true),
  );
  return rule?.cause ?? (status >= 500 || status < 400 ? 'outage' : 'request');
}
