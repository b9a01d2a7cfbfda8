/** `ProviderError`: the one form of every provider failure. */
import { failureOf, type FailureKey, type FailureSaid, type UnnamedFailure } from '../../contract/errors/failures.ts';
import { FINAL_FAULTS, type ProviderName, type ProviderFault, type Step } from '../../contract/values/constants.ts';
import { keyVariable, PROVIDER_FACTS, stepProvider } from '../../contract/values/providers.ts';
import type { CallUsage } from '../../runtime/prices/call-usage.ts';
import { faultOfReply } from './provider-faults.ts';

interface ProviderErrorDetails {
  /** `recognizer`: the server that finds names for redaction. */
  provider: ProviderName | 'recognizer';
  /** Status of the response; null if none arrived. */
  httpStatus?: number | null;
  /** Milliseconds that the provider asked to wait. */
  retryAfterMs?: number;
  providerRequestId?: string | null;
  /** The usage of a call that failed, such as the tokens of a refusal. */
  usage?: CallUsage;
  /** True if the provider may have refused the answer's schema. The same call with a simpler schema may succeed. */
  refusesSchema?: boolean;
  /** True if the provider refused the sampling temperature. The same call without it may succeed. */
  refusesTemperature?: boolean;
  /** Tokens left for the answer in the model's context, if the reply states them. */
  outputRoom?: number;
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

  /** @param why without the name of the provider: `['answer_too_long', { max: 2_000 }]`. */
  constructor(fault: ProviderFault, why: UnnamedFailure, details: ProviderErrorDetails) {
    const { provider } = details;
    const said = failureOf(provider === 'recognizer' ? '' : PROVIDER_FACTS[provider].title, ...why);
    super(said.message);
    this.fault = fault;
    this.why = why;
    this.said = said;
    this.details = details;
  }

  get isFinal(): boolean {
    return FINAL_FAULTS.includes(this.fault);
  }
}

/** Why a call with the fault failed. Of `too_large`: of an analysis. */
const REASONS = {
  bad_input: 'request_refused',
  refused: 'content_declined',
  unknown_model: 'model_not_offered',
  rate_limited: 'too_many_calls',
  unavailable: 'not_available',
  timeout: 'no_response',
  incomplete: 'incomplete',
  too_large: 'prompt_too_long',
  quota_exceeded: 'no_credit',
} as const satisfies Record<Exclude<ProviderFault, 'auth'>, FailureKey>;

function whyOf(fault: ProviderFault, provider: ProviderName, step: Step, status?: number): UnnamedFailure {
  if (fault === 'auth') return ['key_refused', { ...keySettings(provider, step), status }];
  if (fault === 'too_large' && step === 'transcription') return ['recording_too_large', { status }];
  return [REASONS[fault], { status }];
}

function keySettings(provider: ProviderName, step: Step) {
  const own = stepProvider(step, provider);
  const { key_shared_by: shared } = own;
  return {
    setting: keyVariable(own),
    other: shared === undefined ? undefined : keyVariable(stepProvider('analysis', shared)),
  };
}

/** Returns the `ProviderError` for a fault, with its standard reason. */
export const errorOfFault = (
  fault: ProviderFault,
  step: Step,
  details: ProviderErrorDetails & { provider: ProviderName },
): ProviderError => new ProviderError(fault, whyOf(fault, details.provider, step), details);

export const unreachable = (provider: ProviderName): ProviderError =>
  new ProviderError('unavailable', ['unreachable'], { provider });

export const unreadable = (provider: ProviderName, details: Partial<ProviderErrorDetails> = {}): ProviderError =>
  new ProviderError('unavailable', ['unreadable'], { ...details, provider });

export interface ErrorReply {
  provider: ProviderName;
  step: Step;
  status: number;
  /** The codes and the message of the reply. Never shown, because they may quote the request. */
  text: string;
  headers: Headers | undefined;
  providerRequestId: string | null;
  /** The setting that the reply names as invalid, if any. */
  param?: string | null | undefined;
  /** Milliseconds to wait according to the body of the reply. */
  waitMs?: number | undefined;
  /** Tokens left for the answer according to the body of the reply. */
  outputRoom?: number | undefined;
}

/** Returns the `ProviderError` for an error reply. @param fault overrides the fault that the reply indicates. */
export function errorOfReply(reply: ErrorReply, fault?: ProviderFault): ProviderError {
  const { provider, step, status, text, headers, providerRequestId, param, waitMs = 0, outputRoom } = reply;
  const found = fault ?? faultOfReply(provider, status, text);
  const wait = Math.max(waitMs, retryAfterMs(headers) ?? 0);
  // Only an invalid request may succeed when it is simpler.
  const isInvalid = status === 400 && found === 'bad_input';
  return new ProviderError(found, whyOf(found, provider, step, status), {
    provider,
    httpStatus: status,
    providerRequestId,
    ...(wait > 0 && { retryAfterMs: wait }),
    ...(outputRoom !== undefined && { outputRoom }),
    refusesSchema: isInvalid && SCHEMA_REFUSAL.test(text),
    refusesTemperature: isInvalid && (param === 'temperature' || /temperature/i.test(text)),
  });
}

/** Messages of providers that refuse a schema; Gemini only reports an invalid argument. docs/decisions.md, "Fields". */
const SCHEMA_REFUSAL =
  /schema|response_format|output_config|grammar|too complex|too many (?:states|properties|enum)|union|invalid argument/i;

/** Returns the milliseconds in `retry-after-ms` or `Retry-After`, which contains seconds or a date. RFC 9110 §10.2.3. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const [exact, header] = [headers?.get('retry-after-ms'), headers?.get('retry-after')];
  const seconds = Number(header || Number.NaN);
  const ms = [Number(exact || Number.NaN), seconds * 1_000, Date.parse(header ?? '') - Date.now()];
  return ms.find((value) => Number.isFinite(value));
}
