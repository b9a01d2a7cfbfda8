/** Every error code with its status and what a client should do. docs/errors.md */

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
