/** Headers of requests and responses. */
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { API_BASE } from '../values/constants.ts';
import type { Endpoint } from '../values/endpoint.ts';

export const EXAMPLE_REQUEST_ID = '5b0f6d3c-8f0e-4b57-9d3c-0e6f3a9b1c2d';

export const REQUEST_ID_HEADER: oas31.HeadersObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

export const RequestIdHeader: oas31.HeaderObject = {
  description: 'ID of the request, which the logs also contain: a valid ID that the client sent, or a new one.',
  schema: { type: 'string', examples: [EXAMPLE_REQUEST_ID] },
};

/** draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_HEADERS: oas31.HeadersObject = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

export const RateLimitPolicyHeader: oas31.HeaderObject = {
  description: 'Limit: `q` requests per `w` seconds. Absent: no limit.',
  schema: { type: 'string', examples: ['"default";q=600;w=60'] },
};

export const RateLimitHeader: oas31.HeaderObject = {
  description: '`r` requests left; the limit resets in `t` seconds.',
  schema: { type: 'string', examples: ['"default";r=599;t=60'] },
};

export const RequestIdParameter: oas31.ParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Your ID for this request: 1 to 128 letters, digits, `.`, `_`, `:` or `-`. Invalid IDs are replaced.',
  schema: { type: 'string' },
  example: EXAMPLE_REQUEST_ID,
};

export const canonicalCase = (name: string) => name.replaceAll(/(?:^|-)\w/g, (start) => start.toUpperCase());

export function toAnswerHeaders(endpoint: Endpoint, status: number): oas31.HeadersObject {
  const { headers, etag, setsCookie } = endpoint;
  const asked = Object.keys(headers?.shape ?? {});
  return {
    ...REQUEST_ID_HEADER,
    ...RATE_LIMIT_HEADERS,
    ...toLocation(endpoint, status),
    ...(setsCookie && {
      'Set-Cookie': {
        description: 'Cookie of the console. Opaque, and not readable by scripts.',
        schema: { type: 'string' },
      },
    }),
    ...(asked.includes('prefer') && {
      'Preference-Applied': {
        description: 'The applied preference. Absent: none.',
        schema: { type: 'string', examples: ['wait=10'] },
      },
    }),
    ...(asked.includes('idempotency-key') && {
      'Idempotent-Replayed': {
        description: '`true`: the result of an earlier request with this key.',
        schema: { type: 'string', const: 'true' },
      },
    }),
    ...(asked.includes('if-none-match') && {
      ETag: { description: 'Identifies the content.', schema: { type: 'string', examples: ['"9f86d081"'] } },
    }),
    ...(etag && {
      ETag: {
        description: 'Identifies the version of the resource. Send it as `If-Match` with a change.',
        schema: { type: 'string', examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] },
      },
    }),
    ...(status === 206 && {
      'Content-Range': {
        description: 'Range and total number of bytes.',
        schema: { type: 'string', examples: ['bytes 0-65535/1048576'] },
      },
    }),
  };
}

/** Only for responses with the field that the location contains. */
function toLocation({ location, answers }: Endpoint, status: number): oas31.HeadersObject {
  const [before = '', name = ''] = location?.split(/[{}]/) ?? [];
  const answer = answers[status];
  const options = answer instanceof z.ZodUnion ? answer.options : [answer];
  const shape = options.find((option) => option instanceof z.ZodObject && name in option.shape) as
    | z.ZodObject
    | undefined;
  const field = shape?.shape[name] as z.ZodType | undefined;
  if (!field) return {};
  return {
    Location: {
      description: 'Path of the resource.',
      schema: {
        type: 'string',
        format: 'uri-reference',
        examples: [`${API_BASE}${before}${String(field.meta()?.examples?.[0])}`],
      },
    },
  };
}
