/** Headers that requests may and answers do carry. */
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { API_BASE } from '../constants.ts';
import type { Endpoint } from '../endpoint.ts';

export const EXAMPLE_REQUEST_ID = '5b0f6d3c-8f0e-4b57-9d3c-0e6f3a9b1c2d';

export const REQUEST_ID_HEADER: oas31.HeadersObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Every answer has it. */
export const RequestIdHeader: oas31.HeaderObject = {
  description: "The request's id, also in the logs: the client's own where that is fit, else a new one.",
  schema: { type: 'string', examples: [EXAMPLE_REQUEST_ID] },
};

/** Where requests are limited: draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_HEADERS: oas31.HeadersObject = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

export const RateLimitPolicyHeader: oas31.HeaderObject = {
  description: 'How many requests (`q`) are taken in how many seconds (`w`); absent where there is no bound.',
  schema: { type: 'string', examples: ['"default";q=600;w=60'] },
};

export const RateLimitHeader: oas31.HeaderObject = {
  description: 'How many are left (`r`), and in how many seconds there are new ones (`t`).',
  schema: { type: 'string', examples: ['"default";r=599;t=60'] },
};

/** Every request may have it. */
export const RequestIdParameter: oas31.ParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'An id of your own for this request: 1 to 128 letters, digits, `.`, `_`, `:` or `-`; any other is replaced.',
  schema: { type: 'string' },
  example: EXAMPLE_REQUEST_ID,
};

export const canonicalCase = (name: string) => name.replaceAll(/(?:^|-)\w/g, (start) => start.toUpperCase());

/** Returns the headers of a success. */
export function toAnswerHeaders(endpoint: Endpoint, status: number): oas31.HeadersObject {
  const { headers, etag, setsCookie } = endpoint;
  const asked = Object.keys(headers?.shape ?? {});
  return {
    ...REQUEST_ID_HEADER,
    ...RATE_LIMIT_HEADERS,
    ...toLocation(endpoint, status),
    ...(setsCookie && {
      'Set-Cookie': {
        description: "The console's cookie: opaque, and out of the reach of scripts.",
        schema: { type: 'string' },
      },
    }),
    ...(asked.includes('prefer') && {
      'Preference-Applied': {
        description: 'The preference that was followed; absent without one.',
        schema: { type: 'string', examples: ['wait=10'] },
      },
    }),
    ...(asked.includes('idempotency-key') && {
      'Idempotent-Replayed': {
        description: '`true`: a request with this key came before, and this is what it made.',
        schema: { type: 'string', const: 'true' },
      },
    }),
    ...(asked.includes('if-none-match') && {
      ETag: { description: 'Changes with the bytes.', schema: { type: 'string', examples: ['"9f86d081"'] } },
    }),
    ...(etag && {
      ETag: {
        description: 'Changes with the record; `If-Match` of a change takes it.',
        schema: { type: 'string', examples: ['"o2SCWWSq6z5Gvu9qxVpUzQ"'] },
      },
    }),
    ...(status === 206 && {
      'Content-Range': {
        description: 'Which bytes these are, of how many.',
        schema: { type: 'string', examples: ['bytes 0-65535/1048576'] },
      },
    }),
  };
}

/** Only where the answer has the field that its location is made of. */
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
      description: 'Where the answer is found from now on.',
      schema: {
        type: 'string',
        format: 'uri-reference',
        examples: [`${API_BASE}${before}${String(field.meta()?.examples?.[0])}`],
      },
    },
  };
}
