/** The error responses of the API, as components that operations refer to. */
import type { oas31, ZodOpenApiResponseObject } from 'zod-openapi';
import { API_BASE } from '../values/constants.ts';
import type { Endpoint } from '../values/endpoint.ts';
import { ERRORS, type ErrorCode } from '../errors/errors.ts';
import { errorAt } from '../errors/field-errors.ts';
import { problemOf, ProblemSchema, type Problem } from '../errors/problem.ts';
import { sayProblem, type ParamsOfProblem, type ProblemKey } from '../errors/problems.ts';
import { PERSONAL_SCOPES } from '../values/scopes.ts';
import { EXAMPLE_REQUEST_ID, RATE_LIMIT_HEADERS, REQUEST_ID_HEADER } from './headers.ts';

const detailOf = <Key extends ProblemKey>(key: Key, ...params: ParamsOfProblem<Key>) => ({
  detail: sayProblem(key, ...params).detail,
});

const SESSION_ID = 'sess_01kaj4v5rzf1xtm8w3b2c9d0e7';

/** Members of the examples beyond those in the table of errors. Without a detail here, the title is the detail. */
const DETAILS: Partial<Record<ErrorCode, Partial<Problem>>> = {
  malformed_request: detailOf('malformed_request:json'),
  unauthorized: detailOf('unauthorized:no_token'),
  insufficient_scope: detailOf('insufficient_scope:token', { scope: 'sessions:read' }),
  quota_exceeded: detailOf('assistants_limit', { max: 1_000 }),
  precondition_failed: detailOf('precondition_failed'),
  validation_failed: {
    ...detailOf('validation_failed', { count: 2 }),
    errors: [errorAt('name', 'empty'), errorAt('nmae', 'unknown_field')],
  },
  rate_limited: detailOf('requests_limit', { seconds: 12 }),
  provider_failed: {
    ...detailOf('provider_failed', { stage: 'analysis', problem: 'OpenAI refused the request' }),
    session_id: SESSION_ID,
    provider: 'openai',
    stage: 'analysis',
    retryable: false,
  },
  budget_exceeded: {
    ...detailOf('budget_exceeded', { stage: 'analysis' }),
    session_id: SESSION_ID,
    stage: 'analysis',
    retryable: true,
  },
};

const retryAfter: oas31.HeadersObject = {
  'Retry-After': {
    description: 'Number of seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 0, examples: [5] },
  },
};

const atSession: oas31.HeadersObject = {
  Location: {
    description: 'Path of the session, which contains everything up to the failure.',
    schema: { type: 'string', examples: [`${API_BASE}/v1/sessions/${SESSION_ID}`] },
  },
};

/** Headers of some statuses, in addition to those of every response. */
const HEADERS: Record<number, oas31.HeadersObject> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } } },
  402: atSession,
  405: { Allow: { description: 'Supported methods.', schema: { type: 'string', examples: ['GET, HEAD, POST'] } } },
  412: {
    ETag: {
      description: 'Identifies the current version of the resource.',
      schema: { type: 'string', examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] },
    },
  },
  416: {
    'Content-Range': {
      description: 'Total number of bytes.',
      schema: { type: 'string', examples: ['bytes */1048576'] },
    },
  },
  429: { ...RATE_LIMIT_HEADERS, ...retryAfter },
  502: atSession,
  503: retryAfter,
};

function exampleProblem(code: ErrorCode): Problem {
  const { detail = `${ERRORS[code].title}.`, ...extras } = DETAILS[code] ?? {};
  return { ...problemOf(code, detail, EXAMPLE_REQUEST_ID), ...extras };
}

/** Errors that every path can return. Operations do not list them. */
export const ERRORS_OF_ALL: readonly ErrorCode[] = [
  'stronger_login_required',
  'not_found', // also if the resource is deleted during the request
  'method_not_allowed',
  'request_timeout',
  'misdirected_request',
  'headers_too_large',
];

/** Returns the errors that an endpoint can return, based on its declaration. */
export function errorsOf({ scope, params, body, upload, errors = [] }: Endpoint): ErrorCode[] {
  const hasBody = body !== undefined || upload !== undefined;
  const codes: (ErrorCode | false)[] = [
    'malformed_request',
    ...(scope !== null ? (['unauthorized', 'insufficient_scope'] as const) : []),
    scope !== null && (PERSONAL_SCOPES.includes(scope) ? 'not_a_person' : 'no_workspace'),
    params !== undefined && 'not_found',
    ...(hasBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    // Every operation refuses unknown parameters.
    ...(['validation_failed', 'rate_limited', 'internal_error', 'unavailable'] as const),
    ...errors,
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}

const pascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Returns one response per status. Operations with the same errors share it. */
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
