import { z } from 'zod';
import type {
  oas31,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { Endpoint, UploadDeclaration } from '../values/endpoint.ts';
import { canonicalCase, toAnswerHeaders } from './headers.ts';
import { errorsOf, toProblemResponses } from './problems.ts';

type Responses = Record<string, ZodOpenApiResponseObject>;

/** Returns the operation of an endpoint, and adds its error responses to `responses`. */
export function toOperation(
  endpoint: Endpoint,
  endpoints: readonly Endpoint[],
  responses: Responses,
): ZodOpenApiOperationObject {
  const { operationId, summary, description, scope, readsOwn, tag, params, query, headers } = endpoint;
  const notes = [
    description,
    scope && `Scope: \`${scope}\`${readsOwn ? ', or `sessions:own` if the token created the session' : ''}.`,
  ].filter((note) => typeof note === 'string');
  const requestBody = toRequestBody(endpoint);
  return {
    operationId,
    summary,
    tags: [tag],
    ...(notes.length > 0 && { description: notes.join('\n\n') }),
    ...(scope === null && { security: [] }),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: inCanonicalCase(headers) }),
    },
    parameters: [{ $ref: '#/components/parameters/RequestId' }],
    ...(requestBody && { requestBody }),
    responses: { ...toSuccessResponses(endpoint, endpoints), ...toProblemResponses(errorsOf(endpoint), responses) },
  };
}

const inCanonicalCase = ({ shape }: z.ZodObject) =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [canonicalCase(name), field])));

const BINARY: oas31.SchemaObject = { type: 'string', format: 'binary' };

function toRequestBody({ body, upload }: Endpoint): ZodOpenApiRequestBodyObject | undefined {
  if (!body && !upload) return undefined;
  return {
    required: !body?.safeParse(undefined).success,
    content: {
      ...(upload && { 'multipart/form-data': { schema: toFormSchema(upload) } }),
      ...(body && { 'application/json': { schema: body instanceof z.ZodOptional ? body.unwrap() : body } }),
    },
  };
}

function toFormSchema(upload: UploadDeclaration): z.ZodObject {
  // The declaration has the file apart from the other form fields, because no schema validates it.
  const file = z.unknown().meta({ ...BINARY, description: 'The recording.' });
  return upload.fields.extend({ [upload.file]: file }).meta(upload.fields.meta() ?? {});
}

const MEANINGS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted. The work continues.',
  204: 'Success, without content.',
  206: 'The requested range.',
  303: 'Continue at `Location` in the browser.',
  304: 'Not modified.',
};

function toSuccessResponses(endpoint: Endpoint, endpoints: readonly Endpoint[]): Responses {
  const entries = Object.entries(endpoint.answers).map(([key, schema]) => {
    const status = Number(key);
    const content = { ...(schema && { 'application/json': { schema } }), ...toBytesContent(endpoint, status) };
    const response: ZodOpenApiResponseObject = {
      description: MEANINGS[status] ?? 'Success.',
      headers: toAnswerHeaders(endpoint, status),
      ...(Object.keys(content).length > 0 && { content }),
      ...(schema && endpoint.location !== undefined && { links: toLinks(endpoint.location, endpoints) }),
    };
    return [key, response] as const;
  });
  return Object.fromEntries(entries);
}

function toBytesContent({ produces = [] }: Endpoint, status: number): ZodOpenApiContentObject {
  if (status === 304) return {};
  const schemaOf = (type: string) => (type.startsWith('text/') ? ({ type: 'string' } as const) : BINARY);
  return Object.fromEntries(produces.map((type) => [type, { schema: schemaOf(type) }]));
}

/** Returns links to the endpoints that take the ID of the returned resource. */
function toLinks(location: string, endpoints: readonly Endpoint[]): oas31.LinksObject {
  const [prefix = '', field = ''] = location.split(/[{}]/);
  const following = endpoints.flatMap(({ operationId, path, params }) => {
    const [name, ...more] = Object.keys(params?.shape ?? {});
    if (name === undefined || more.length > 0 || !path.startsWith(`${prefix}{${name}}`)) return [];
    return [[operationId, { operationId, parameters: { [name]: `$response.body#/${field}` } }]];
  });
  return Object.fromEntries(following) as oas31.LinksObject;
}
