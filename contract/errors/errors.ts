/** Every error code with its status and what a client should do, and the schema of error responses (RFC 9457). docs/errors.md */
import { z } from 'zod';
import { SIGN_IN_POLICIES } from '../values/constants.ts';
import { PROPERTY_CODES } from './property-messages.ts';
import { openEnum, responseObject } from '../values/schemas.ts';
import { ReasonMembers } from './reason-members.ts';

/** Whether and when to repeat a request after an error, as docs/errors.md shows and explains it. */
export const REPEATS = {
  never: 'no',
  changed: 'changed',
  same: 'yes',
  later: 'later',
  session: 'retry the session',
} as const;

/** Whether there is a session although the request failed. Without an entry: no. */
export const SESSIONS = { always: 'yes', named: 'maybe', first: 'the first' } as const;

interface ErrorFacts {
  status: number;
  title: string;
  repeat: keyof typeof REPEATS;
  session?: keyof typeof SESSIONS;
}

export const ERRORS = {
  malformed_request: { status: 400, title: 'The request could not be parsed', repeat: 'changed' },
  unauthorized: { status: 401, title: 'Authentication is required', repeat: 'changed' },
  second_factor_required: { status: 401, title: 'A second factor code is required', repeat: 'changed' },
  budget_exceeded: { status: 402, title: 'Monthly budget reached', repeat: 'session', session: 'always' },
  insufficient_scope: { status: 403, title: 'Insufficient scope', repeat: 'changed' },
  no_workspace: { status: 403, title: 'No workspace', repeat: 'changed' },
  registration_closed: { status: 403, title: 'Registration is closed', repeat: 'never' },
  groups_not_allowed: { status: 403, title: 'Groups give no roles in this workspace', repeat: 'changed' },
  password_login_off: { status: 403, title: 'Passwords are turned off', repeat: 'never' },
  stronger_login_required: { status: 403, title: 'The workspace requires a stronger login', repeat: 'changed' },
  not_a_person: { status: 403, title: 'API tokens cannot do this', repeat: 'never' },
  proof_required: { status: 403, title: 'Confirm your identity first', repeat: 'changed' },
  insecure_origin: { status: 403, title: 'Insecure origin', repeat: 'never' },
  not_found: { status: 404, title: 'Not found', repeat: 'never' },
  method_not_allowed: { status: 405, title: 'Method not allowed', repeat: 'never' },
  request_timeout: { status: 408, title: 'The request took too long to arrive', repeat: 'same' },
  email_taken: { status: 409, title: 'The email address is already registered', repeat: 'changed' },
  conflict: { status: 409, title: 'The request conflicts with the state of the resource', repeat: 'changed' },
  last_owner: { status: 409, title: 'The workspace needs another owner', repeat: 'changed' },
  quota_exceeded: { status: 409, title: 'Quota reached', repeat: 'changed' },
  precondition_failed: { status: 412, title: 'The resource has changed', repeat: 'changed' },
  payload_too_large: { status: 413, title: 'The request body is too large', repeat: 'changed' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type', repeat: 'changed' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable', repeat: 'changed' },
  misdirected_request: { status: 421, title: 'This server does not serve the host name', repeat: 'never' },
  validation_failed: { status: 422, title: 'The request is not valid', repeat: 'changed' },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key was used for a different request',
    repeat: 'changed',
    session: 'first',
  },
  rate_limited: { status: 429, title: 'Too many requests', repeat: 'later' },
  audio_rejected: { status: 422, title: 'The recording at the URL was rejected', repeat: 'session', session: 'always' },
  headers_too_large: { status: 431, title: 'The request headers are too large', repeat: 'changed' },
  internal_error: { status: 500, title: 'Internal error', repeat: 'same', session: 'named' },
  provider_failed: { status: 502, title: 'The provider failed', repeat: 'session', session: 'always' },
  audio_unreachable: {
    status: 502,
    title: 'The recording could not be downloaded',
    repeat: 'session',
    session: 'always',
  },
  mail_unavailable: { status: 503, title: 'This installation sends no emails', repeat: 'never' },
  unavailable: { status: 503, title: 'Temporarily unavailable', repeat: 'later', session: 'named' },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERRORS;

const PropertyErrorSchema = responseObject('FieldError', {
  path: z.string().describe('Dotted path of the field; empty for the body as a whole.'),
  message: z.string(),
  code: openEnum(PROPERTY_CODES).optional().describe('Code of the message, so that clients can word it themselves.'),
  params: z.record(z.string(), z.string()).optional().describe('The values in the message, by name.'),
});
export type PropertyError = z.output<typeof PropertyErrorSchema>;

export const ProblemSchema = responseObject(
  'Problem',
  {
    type: z.string().describe('URI that identifies the type of problem.'),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
    ...ReasonMembers,
    request_id: z.string(),
    errors: z.array(PropertyErrorSchema).optional().describe('All invalid fields.'),
    session_id: z
      .string()
      .optional()
      .describe(
        'The session of the request, or of the first request with the idempotency key. Read it instead of submitting again.',
      ),
    provider: z.string().optional(),
    stage: z.string().optional(),
    retryable: z.boolean().optional().describe('Whether a retry of the session can succeed.'),
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
