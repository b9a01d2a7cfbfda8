/** `ProviderError`: the one form of every provider failure. */
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
  readonly details: ProviderErrorDetails;

  constructor(fault: ProviderFault, reason: string, details: ProviderErrorDetails) {
    const { provider } = details;
    super(`${provider === 'recognizer' ? 'The recognizer' : PROVIDER_FACTS[provider].title} ${reason}`);
    this.fault = fault;
    this.details = details;
  }

  get isFinal(): boolean {
    return FINAL_FAULTS.includes(this.fault);
  }
}

/** What happened and, after a colon, what to do. */
const REASONS: Record<ProviderFault, (provider: ProviderName, step: Step) => string> = {
  auth: (provider, step) => `refused the API key: check ${keySettings(provider, step)}`,
  bad_input: () => 'refused the request as invalid',
  refused: () => 'declined to process this content: change the instructions or choose another model',
  unknown_model: () => 'does not offer this model: choose another one for the assistant',
  rate_limited: () => 'received too many calls',
  unavailable: () => 'is not available',
  timeout: () => 'did not respond in time',
  incomplete: () => 'returned an incomplete response: retry the session or choose another model',
  too_large: (_provider, step) =>
    step === 'analysis'
      ? 'refused the prompt as too long: shorten it or choose a model with a larger context'
      : 'refused the recording as too large: send it in parts or choose another model',
  quota_exceeded: () => 'has no credit left for this account: add credit or raise the spending limit, then retry',
};

function keySettings(provider: ProviderName, step: Step): string {
  const own = stepProvider(step, provider);
  const { key_shared_by: shared } = own;
  return [own, ...(shared === undefined ? [] : [stepProvider('analysis', shared)])].map(keyVariable).join(' or ');
}

/** Returns the `ProviderError` for a fault, with its standard message. */
export const errorOfFault = (
  fault: ProviderFault,
  step: Step,
  details: ProviderErrorDetails & { provider: ProviderName },
): ProviderError => new ProviderError(fault, REASONS[fault](details.provider, step), details);

export const unreachable = (provider: ProviderName): ProviderError =>
  new ProviderError('unavailable', 'could not be reached', { provider });

export const unreadable = (provider: ProviderName, details: Partial<ProviderErrorDetails> = {}): ProviderError =>
  new ProviderError('unavailable', 'returned a response that could not be read', { ...details, provider });

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
  const reason = REASONS[found](provider, step).replace(/(?=:|$)/, ` (HTTP ${status})`);
  return new ProviderError(found, reason, {
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
