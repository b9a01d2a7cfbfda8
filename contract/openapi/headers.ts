/** Headers that requests may and answers do carry. */
import type { z } from 'zod';
import { API_BASE } from '../constants.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Components, Json } from './json-schema.ts';

export const EXAMPLE_REQUEST_ID = '5b0f6d3c-8f0e-4b57-9d3c-0e6f3a9b1c2d';

export const REQUEST_ID_HEADER: Json = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Every answer has it. */
export const RequestIdHeader: Json = {
  description: "The request's id, also in the logs: the client's own where that is fit, else a new one.",
  schema: { type: 'string', examples: [EXAMPLE_REQUEST_ID] },
};

/** Where requests are limited: draft-ietf-httpapi-ratelimit-headers. */
export const RATE_LIMIT_HEADERS: Json = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

export const RateLimitPolicyHeader: Json = {
  description: 'How many requests (`q`) are taken in how many seconds (`w`); absent where there is no bound.',
  schema: { type: 'string', examples: ['"default";q=600;w=60'] },
};

export const RateLimitHeader: Json = {
  description: 'How many are left (`r`), and in how many seconds there are new ones (`t`).',
  schema: { type: 'string', examples: ['"default";r=599;t=60'] },
};

/** Every request may have it. */
export const RequestIdParameter: Json = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description:
    'An id of your own for this request: 1 to 128 letters, digits, `.`, `_`, `:` or `-`; any other is replaced.',
  schema: { type: 'string' },
  example: EXAMPLE_REQUEST_ID,
};

const canonicalCase = (name: string) => name.replaceAll(/(?:^|-)\w/g, (start) => start.toUpperCase());

/** Parameters of one kind. */
export function toParameters(
  kind: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  components: Components,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description, examples, ...rest } = withPrefixedKeys(name, components.add(field as z.ZodType, 'input'));
    return {
      name: kind === 'header' ? canonicalCase(name) : name,
      in: kind,
      required: kind === 'path' || !(field as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema: rest,
      ...(Array.isArray(examples) && { example: examples[0] as unknown }),
    };
  });
}

/** Returns the schema of a field of pairs with the names that its pairs have as parameters, `field.key`. */
function withPrefixedKeys(name: string, schema: Json): Json {
  if (schema['type'] !== 'object') return schema;
  const { minLength, maxLength } = schema['propertyNames'] as { minLength: number; maxLength: number };
  return { ...schema, propertyNames: { type: 'string', pattern: `^${name}\\.[^\\u0000]{${minLength},${maxLength}}$` } };
}

/** Headers of a success. @param example of its body. */
export function toAnswerHeaders(
  { location, headers, etag, setsCookie }: Endpoint,
  status: number,
  example?: unknown,
): Json {
  const asked = Object.keys(headers?.shape ?? {});
  return {
    ...REQUEST_ID_HEADER,
    ...RATE_LIMIT_HEADERS,
    ...(location !== undefined &&
      isLocated(location, example) && {
        Location: {
          description: 'Where the answer is found from now on.',
          schema: { type: 'string', format: 'uri-reference', examples: [fillIn(location, example)] },
        },
      }),
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
        description: '`true`: a request with this key came before, and this is its session.',
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

/** Tells whether the answer has the fields that its location is made of. */
const isLocated = (location: string, answer: unknown) =>
  [...location.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => name in (Object(answer) as object));

const fillIn = (location: string, answer: unknown) =>
  API_BASE + location.replaceAll(/\{(\w+)\}/g, (_, name: string) => String((answer as Json)[name]));
