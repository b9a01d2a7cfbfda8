/** The only table from error code to HTTP status, and the one shape of every error answer (RFC 9457). */
import { z } from 'zod';

export const ERRORS = {
  malformed_request: { status: 400, title: 'The request could not be read' },
  unauthorized: { status: 401, title: 'Authentication is required' },
  budget_exceeded: { status: 402, title: 'The monthly budget is used up' },
  insufficient_scope: { status: 403, title: 'The token is not allowed this' },
  registration_closed: { status: 403, title: 'Registration is closed' },
  insecure_origin: { status: 403, title: 'The page can hold no login' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  email_taken: { status: 409, title: 'The e-mail address is taken' },
  conflict: { status: 409, title: 'The resource is in another state' },
  quota_exceeded: { status: 409, title: 'A quota is used up' },
  precondition_failed: { status: 412, title: 'The resource was changed meanwhile' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'The range lies outside' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key belongs to another request' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal_error: { status: 500, title: 'Internal error' },
  provider_failed: { status: 502, title: 'The provider failed' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export const FieldErrorSchema = z
  .object({
    path: z.string().describe('Dotted path of the field; empty for the body as a whole.'),
    message: z.string(),
  })
  .meta({ id: 'FieldError' });

export type FieldError = z.output<typeof FieldErrorSchema>;

export const ProblemSchema = z
  .object({
    type: z.string().describe('URI reference that identifies the kind of problem.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string(),
    errors: z.array(FieldErrorSchema).optional().describe('Every field that is at fault.'),
    session_id: z.string().optional(),
    provider: z.string().optional(),
    stage: z.string().optional(),
    retryable: z.boolean().optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details, sent as application/problem+json.' });

export type Problem = z.output<typeof ProblemSchema>;
