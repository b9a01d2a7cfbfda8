/** Every error answer of the API, as components that the operations refer to. */
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi';
import { API_BASE } from '../constants.ts';
import type { Endpoint } from '../endpoint.ts';
import { ERRORS, ProblemSchema } from '../errors.ts';
import type { ErrorCode, Problem } from '../errors.ts';
import { EXAMPLE_REQUEST_ID, RATE_LIMIT_HEADERS, REQUEST_ID_HEADER } from './headers.ts';

/** What a client would read, where it says more than the title; the other members come from the table of errors. */
const DETAILS: Partial<Record<ErrorCode, Partial<Problem>>> = {
  malformed_request: { detail: 'The body is not valid JSON.' },
  unauthorized: { detail: 'Send a valid token as "Authorization: Bearer <API_TOKEN>".' },
  insufficient_scope: { detail: 'This token lacks the scope sessions:read.' },
  registration_closed: { detail: 'This server takes no new accounts. Ask whoever runs it for one.' },
  insecure_origin: { detail: 'Open the console over HTTPS, or at a loopback address such as http://127.0.0.1:3000.' },
  not_found: { detail: 'Nothing of yours has this id.' },
  method_not_allowed: { detail: 'This path takes GET, HEAD, POST.' },
  request_timeout: { detail: 'The request did not arrive in time.' },
  email_taken: { detail: 'An account with this e-mail address exists. Log in instead.' },
  quota_exceeded: { detail: 'You have 1000 assistants, which is the most. Delete one first.' },
  conflict: { detail: 'The session has ended already.' },
  precondition_failed: { detail: 'It was changed since you read it. Read it again, then repeat the change.' },
  payload_too_large: { detail: 'The body is larger than 1048576 bytes.' },
  unsupported_media_type: { detail: 'Send the body as JSON, with Content-Type: application/json.' },
  validation_failed: {
    detail: '2 fields are not valid.',
    errors: [
      { path: 'name', message: 'must not be empty' },
      { path: 'nmae', message: 'is not a known field' },
    ],
  },
  rate_limited: { detail: 'Too many requests. Try again in 12 s.' },
  headers_too_large: { detail: 'The headers are larger than 16 KiB.' },
  internal_error: { detail: 'Something went wrong on our side.' },
  provider_failed: {
    detail: 'The analysis failed: openai refused the request.',
    session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
    provider: 'openai',
    stage: 'analysis',
    retryable: false,
  },
  budget_exceeded: {
    detail: 'The analysis was not begun: the monthly budget is used up. Raise it, then retry the session.',
    session_id: 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7',
    stage: 'analysis',
    retryable: true,
  },
  unavailable: { detail: 'The database is not available. Try again in a few seconds.' },
};

const retryAfter: oas31.HeadersObject = {
  'Retry-After': {
    description: 'Seconds after which a next try makes sense.',
    schema: { type: 'integer', minimum: 0, examples: [5] },
  },
};

const atSession: oas31.HeadersObject = {
  Location: {
    description: 'The session: what was done before the failure is kept there.',
    schema: { type: 'string', examples: [`${API_BASE}/v1/sessions/sess_01kaj4v5rzf1xtm8w3b2c9d0e7`] },
  },
};

/** Headers that a status brings beyond those of every answer. */
const HEADERS: Record<number, oas31.HeadersObject> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } } },
  402: atSession,
  405: {
    Allow: {
      description: 'The methods that the path takes.',
      schema: { type: 'string', examples: ['GET, HEAD, POST'] },
    },
  },
  412: {
    ETag: {
      description: 'Of the record as it is now.',
      schema: { type: 'string', examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] },
    },
  },
  416: {
    'Content-Range': {
      description: 'How many bytes there are.',
      schema: { type: 'string', examples: ['bytes */1048576'] },
    },
  },
  429: { ...RATE_LIMIT_HEADERS, ...retryAfter },
  502: atSession,
  503: retryAfter,
};

export function exampleProblem(code: ErrorCode): Problem {
  const { status, title } = ERRORS[code];
  const { detail = `${title}.`, ...extras } = DETAILS[code] ?? {};
  const type = `urn:conversation-analysis:error:${code}`;
  return { type, title, status, detail, code, request_id: EXAMPLE_REQUEST_ID, ...extras };
}

/** Returns the errors that an endpoint can give, by what it takes and declares. */
export function errorsOf({ auth, params, query, headers, body, upload, errors = [] }: Endpoint): ErrorCode[] {
  const hasBody = body !== undefined || upload !== undefined;
  const codes: (ErrorCode | false)[] = [
    'malformed_request',
    ...(auth === 'bearer' ? (['unauthorized', 'insufficient_scope'] as const) : []),
    params !== undefined && 'not_found',
    ...(hasBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    (hasBody || query !== undefined || headers !== undefined) && 'validation_failed',
    ...(['rate_limited', 'internal_error', 'unavailable'] as const),
    ...errors,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns one response for each status; operations that can give the same errors share it. */
export function toProblemResponses(
  codes: readonly ErrorCode[],
  responses: Record<string, ZodOpenApiResponseObject>,
): Record<string, oas31.ReferenceObject> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status);
  const entries = [...byStatus].map(([status, same]) => {
    const name = same.map(pascalCase).join('Or');
    responses[name] ??= toProblemResponse(status, same);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries(entries) as Record<string, oas31.ReferenceObject>;
}

function toProblemResponse(status: number, codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const titles = codes.map((code) => `${ERRORS[code].title} (\`${code}\`)`);
  return {
    description: `${titles.join('. ')}.`,
    headers: { ...REQUEST_ID_HEADER, ...HEADERS[status] },
    content: {
      'application/problem+json': {
        schema: ProblemSchema,
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleProblem(code) }])),
      },
    },
  };
}
