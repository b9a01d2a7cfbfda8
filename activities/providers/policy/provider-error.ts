/** `ProviderError`: the one form of every provider failure. */
import { FINAL_FAULTS, type ProviderName, type ProviderFault, type Step } from '../../../contract/values/constants.ts';
import { keyVariable, PROVIDER_FACTS, stepProvider, urlVariable } from '../../../contract/values/providers.ts';
import {
  failureOf,
  type FailureKey,
  type FailureSaid,
  type UnnamedFailure,
} from '../../../contract/errors/failures.ts';
import type { CallUsage } from '../../../runtime/prices/call-usage.ts';
import { CAUSES, type Cause } from './causes.ts';
import type { Refusal } from './read-refusal.ts';
import type { ServedBy } from '../transport/read-usage.ts';

export interface ProviderErrorDetails {
  /** `recognizer`: the server that finds names for redaction. */
  provider: ProviderName | 'recognizer';
  /** Status of the response; null if none arrived. */
  httpStatus?: number | null;
  /** Milliseconds that the provider asked to wait. */
  retryAfterMs?: number | undefined;
  providerRequestId?: string | null;
  /** The usage of a call that failed, such as the tokens of a refusal. */
  usage?: CallUsage | null;
  /** The charge of a call that failed, in US dollars, if the provider sent it. */
  costUsd?: number | undefined;
  servedBy?: ServedBy | undefined;
  /** What the provider called the error. */
  refusal?: Pick<Refusal, 'code' | 'type' | 'param'>;
}

/**
 * A failure of a provider. `message` is this project's own text without quotes: users see it, and Temporal's history
 * contains it.
 */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly fault: ProviderFault;
  readonly why: UnnamedFailure;
  /** Why the call failed, as sessions and calls store it. */
  readonly said: FailureSaid;
  readonly details: ProviderErrorDetails;
  /** The reply, for the rule that leaves out a refused parameter. Private, because it may quote a conversation. */
  readonly #reply: Refusal | undefined;

  /** @param why without the name of the provider: `['answer_too_long', { max: 2_000 }]`. */
  constructor(fault: ProviderFault, why: UnnamedFailure, details: ProviderErrorDetails, reply?: Refusal) {
    const { provider } = details;
    const said = failureOf(provider === 'recognizer' ? '' : PROVIDER_FACTS[provider].title, ...why);
    super(said.message);
    this.fault = fault;
    this.why = why;
    this.said = said;
    this.details = details;
    this.#reply = reply;
  }

  get isFinal(): boolean {
    return FINAL_FAULTS.includes(this.fault);
  }

  /** Whether the provider is down. A reply that refuses one request, or a page of another server, is not an outage. */
  get isOutage(): boolean {
    const { httpStatus } = this.details;
    if (this.why[0] === SAID.between) return false;
    return ['unavailable', 'timeout'].includes(this.fault) && (httpStatus == null || httpStatus >= 500);
  }

  reply(): Refusal | undefined {
    return this.#reply;
  }
}

export interface ReplySource {
  provider: ProviderName;
  step: Step;
}

/** The sentence of each cause, or those of the analysis and of the transcription. */
const SAID = {
  key: 'key_refused',
  region: 'region_refused',
  content: 'content_declined',
  url: 'no_api',
  between: 'other_server',
  model: 'model_not_offered',
  credit: 'no_credit',
  quota: 'no_quota',
  length: { analysis: 'prompt_too_long', transcription: 'recording_too_large' },
  tokens_at_once: { analysis: 'prompt_too_long:rate', transcription: 'recording_too_large:rate' },
  json: 'incomplete',
  request: 'request_refused:named',
  rate: 'too_many_calls',
  timeout: 'no_response',
  outage: 'not_available',
} as const satisfies Record<Cause, FailureKey | Record<Step, FailureKey>>;

/** Returns the names of the settings that the sentence of a cause mentions. */
function settingsOf(cause: Cause, { step, provider }: ReplySource): { setting: string; other?: string } {
  const own = stepProvider(step, provider);
  if (cause !== 'key') return { setting: urlVariable(own) };
  const { key_shared_by: shared } = own;
  return {
    setting: keyVariable(own),
    ...(shared !== undefined && { other: keyVariable(stepProvider('analysis', shared)) }),
  };
}

/** Returns the `ProviderError` for a cause, with its standard message. */
export function errorOfCause(
  cause: Cause,
  source: ReplySource,
  { status, reply, ...details }: Partial<ProviderErrorDetails> & { status?: number; reply?: Refusal } = {},
): ProviderError {
  const { provider, step } = source;
  const key = typeof SAID[cause] === 'string' ? SAID[cause] : SAID[cause][step];
  // Sentences without a setting do not use it.
  const settings = ['key', 'region', 'url', 'between'].includes(cause) ? settingsOf(cause, source) : {};
  const why = [key, { status, ...settings }] as UnnamedFailure;
  return new ProviderError(CAUSES[cause], why, { ...details, provider }, reply);
}

export const unreachable = (provider: ProviderName, details: Partial<ProviderErrorDetails> = {}): ProviderError =>
  new ProviderError('unavailable', ['unreachable'], { ...details, provider });

export const unreadable = (provider: ProviderName, details: Partial<ProviderErrorDetails> = {}): ProviderError =>
  new ProviderError('unavailable', ['unreadable'], { ...details, provider });

/** Of a whole reply. Another request would transcribe the recording again, so only a client or a batch makes one. */
export function unreadableTranscript(provider: ProviderName, details: Partial<ProviderErrorDetails>): ProviderError {
  const why: UnnamedFailure = ['unreadable:transcript', settingsOf('url', { step: 'transcription', provider })];
  return new ProviderError('incomplete', why, { ...details, provider });
}
