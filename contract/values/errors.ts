/** The HTTP status of every error code, and the schema of error responses (RFC 9457). */
import { z } from 'zod';
import { SIGN_IN_POLICIES } from './constants.ts';
import { openEnum, responseObject } from './fields.ts';

export const ERRORS = {
  malformed_request: { status: 400, title: 'The request could not be parsed' },
  unauthorized: { status: 401, title: 'Authentication is required' },
  second_factor_required: { status: 401, title: 'A second factor code is required' },
  budget_exceeded: { status: 402, title: 'Monthly budget reached' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  no_workspace: { status: 403, title: 'No workspace' },
  registration_closed: { status: 403, title: 'Registration is closed' },
  groups_not_allowed: { status: 403, title: 'Groups give no roles in this workspace' },
  password_login_off: { status: 403, title: 'Passwords are turned off' },
  stronger_login_required: { status: 403, title: 'The workspace requires a stronger login' },
  not_a_person: { status: 403, title: 'API tokens cannot do this' },
  proof_required: { status: 403, title: 'Confirm your identity first' },
  insecure_origin: { status: 403, title: 'Insecure origin' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  email_taken: { status: 409, title: 'The email address is already registered' },
  conflict: { status: 409, title: 'The request conflicts with the state of the resource' },
  last_owner: { status: 409, title: 'The workspace needs another owner' },
  quota_exceeded: { status: 409, title: 'Quota reached' },
  precondition_failed: { status: 412, title: 'The resource has changed' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  misdirected_request: { status: 421, title: 'This server does not serve the host name' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for a different request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  audio_rejected: { status: 422, title: 'The recording at the URL was rejected' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Internal error' },
  provider_failed: { status: 502, title: 'The provider failed' },
  audio_unreachable: { status: 502, title: 'The recording could not be downloaded' },
  mail_unavailable: { status: 503, title: 'This installation sends no emails' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

const FieldErrorSchema = responseObject('FieldError', {
  path: z.string().describe('Dotted path of the field; empty for the body as a whole.'),
  message: z.string(),
  code: z.enum(['wrong_password', 'wrong_code', 'bad_link']).optional().describe('Machine-readable code of the error.'),
});
export type FieldError = z.output<typeof FieldErrorSchema>;

export const ProblemSchema = responseObject(
  'Problem',
  {
    type: z.string().describe('URI that identifies the type of problem.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    errors: z.array(FieldErrorSchema).optional().describe('All invalid fields.'),
    session_id: z.string().optional(),
    provider: z.string().optional(),
    stage: z.string().optional(),
    retryable: z.boolean().optional(),
    sign_in: openEnum(SIGN_IN_POLICIES)
      .optional()
      .describe('Of `stronger_login_required`: the policy that the login does not satisfy.'),
  },
  'RFC 9457 problem details, sent as application/problem+json.',
);
export type Problem = z.output<typeof ProblemSchema>;

/** Returns the problem document of an error, without optional members. */
export function problemOf(code: ErrorCode, detail: string, request_id: string): Problem {
  const { status, title } = ERRORS[code];
  return { type: `urn:conversation-analysis:error:${code}`, title, status, detail, code, request_id };
}
