/** The one form in which a vendor's failure reaches the rest of the service. */
import { FINAL_FAULTS } from '../../contract/constants.ts';
import type { ProviderName, VendorFault } from '../../contract/constants.ts';
import type { CallUsage } from '../../db/models/vendor-call.ts';

export interface VendorErrorDetails {
  provider: ProviderName;
  /** Status of the answer; null where none arrived. */
  httpStatus?: number | null;
  /** Milliseconds that the vendor asked to wait; it is not called again sooner. */
  retryAfterMs?: number;
  vendorRequestId?: string | null;
  /** The usage of a call that failed, such as the tokens of a refusal. */
  usage?: CallUsage;
  /** True if the vendor may have refused the answer's schema, so that the same call with a simpler one may succeed. */
  refusesSchema?: boolean;
  /** True if the vendor refused the sampling temperature, so that the same call without it may succeed. */
  refusesTemperature?: boolean;
}

/**
 * Says how a vendor failed. `message` is this project's own text and quotes nothing: users see it, and Temporal's
 * history keeps it.
 */
export class VendorError extends Error {
  override name = 'VendorError';
  readonly fault: VendorFault;
  readonly details: VendorErrorDetails;

  constructor(fault: VendorFault, reason: string, details: VendorErrorDetails) {
    super(`${details.provider} ${reason}`);
    this.fault = fault;
    this.details = details;
  }

  get isFinal(): boolean {
    return FINAL_FAULTS.includes(this.fault);
  }
}

/** Returns the fault that an HTTP status stands for; docs/decisions.md, "Vendor faults". */
export function faultOfStatus(status: number): VendorFault {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota_exceeded';
  if (status === 413) return 'too_large';
  if (status === 429) return 'rate_limited';
  if (status === 504) return 'timeout';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'unavailable';
  return 'bad_input';
}

const REASONS: Record<VendorFault, string> = {
  auth: 'refused the API key',
  bad_input: 'refused the request as invalid',
  refused: 'declined to process this content',
  rate_limited: 'limits the rate of calls',
  unavailable: 'is not available',
  timeout: 'did not answer in time',
  too_large: 'refused the request as too large',
  quota_exceeded: 'has no credit left for this account',
};

/** Returns the `VendorError` for an answer with an error status. */
export function errorOfStatus(
  status: number,
  details: VendorErrorDetails,
  fault: VendorFault = faultOfStatus(status),
): VendorError {
  return new VendorError(fault, `${REASONS[fault]} (HTTP ${status})`, { ...details, httpStatus: status });
}

/** Words by which vendors refuse a schema; Gemini gives no reason but an invalid argument. docs/decisions.md, "Fields". */
const SCHEMA_REFUSAL =
  /schema|response_format|output_config|grammar|too complex|too many (?:states|properties|enum)|union|invalid argument/i;

/** Returns whether an answer with this status and message may be a refusal of the schema. Nothing was paid for it. */
export function refusesSchema(status: number, message: string): boolean {
  return status === 400 && SCHEMA_REFUSAL.test(message);
}

/** Returns the milliseconds to wait by a `Retry-After` header, which holds seconds or a date. RFC 9110 §10.2.3. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
