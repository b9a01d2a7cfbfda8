/** Sorts the errors of OpenAI's SDK, for every vendor that is called through it. */
import { APIConnectionError, APIError } from 'openai';
import type { ProviderName, VendorFault } from '../../contract/constants.ts';
import { errorOfStatus, refusesSchema, retryAfterMs, VendorError } from './vendor-error.ts';

/** The fields that the SDK's class leaves to its type parameters. */
interface ApiErrorFields {
  status?: number | undefined;
  code?: string | null | undefined;
  param?: string | null | undefined;
  requestID?: string | null | undefined;
  message: string;
  headers?: Headers | undefined;
}

/** Faults that an error's code or type tells better than its status. */
const FAULT_OF_CODE = new Map<unknown, VendorFault>([
  ['insufficient_quota', 'quota_exceeded'],
  ['context_length_exceeded', 'too_large'],
]);

export function classifyOpenAiError(error: unknown, provider: ProviderName): VendorError {
  if (error instanceof APIConnectionError) return new VendorError('unavailable', 'could not be reached', { provider });
  const apiError: ApiErrorFields | undefined = error instanceof APIError ? error : undefined;
  if (typeof apiError?.status === 'number') {
    const { status, code, param, requestID, message, headers } = apiError;
    const retryAfter = retryAfterMs(headers?.get('retry-after'));
    const details = {
      provider,
      vendorRequestId: requestID ?? null,
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
      refusesSchema: refusesSchema(status, message),
      refusesTemperature: status === 400 && (param === 'temperature' || /temperature/i.test(message)),
    };
    return errorOfStatus(status, details, faultOf(code, message));
  }
  // An answer that is malformed, empty, cut off or too large: the SDK lets the parser's and the socket's errors
  // through.
  return new VendorError('unavailable', 'sent an answer that could not be read', { provider });
}

function faultOf(code: unknown, message: string): VendorFault | undefined {
  return /longer than \d+ seconds/.test(message) ? 'too_large' : FAULT_OF_CODE.get(code);
}
