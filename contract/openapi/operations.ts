import type { Endpoint, UploadDeclaration } from '../endpoint.ts';
import { toAnswerHeaders, toParameters } from './headers.ts';
import type { Components, Json } from './json-schema.ts';
import { makeExample } from './make-example.ts';
import { toProblemResponses, errorsOf } from './problems.ts';

export interface Shared {
  components: Components;
  responses: Record<string, Json>;
}

/** Returns the operation of one endpoint. */
export function toOperation(endpoint: Endpoint, endpoints: readonly Endpoint[], shared: Shared): Json {
  const { operationId, summary, tag, params, query, headers } = endpoint;
  const { components, responses } = shared;
  return {
    operationId,
    summary,
    tags: [tag],
    ...(endpoint.auth === 'none'
      ? { security: [] }
      : { description: `A token that has scopes needs \`${endpoint.scope}\`.` }),
    parameters: [
      ...toParameters('path', params, components),
      ...toParameters('query', query, components),
      ...toParameters('header', headers, components),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...toRequestBody(endpoint, components),
    responses: {
      ...toSuccessResponses(endpoint, endpoints, components),
      ...toProblemResponses(errorsOf(endpoint), responses),
    },
  };
}

function toRequestBody({ body, upload }: Endpoint, components: Components): Json {
  if (upload) return toUploadBody(upload, components);
  if (body === undefined) return {};
  const schema = components.add(body, 'input');
  const example = makeExample(schema, components.schemas);
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } };
}

const BINARY: Json = { type: 'string', format: 'binary' };

/**
 * Returns the body of an upload, in which the file is a field of the form like the others; the declaration keeps it
 * apart because no schema validates it.
 */
function toUploadBody({ fields, file }: UploadDeclaration, components: Components): Json {
  const form = components.add(fields, 'input');
  const name = typeof form['$ref'] === 'string' ? form['$ref'].replace('#/components/schemas/', '') : undefined;
  const schema = name === undefined ? form : components.schemas[name];
  if (schema) {
    schema['properties'] = { ...(schema['properties'] as Json), [file]: { ...BINARY, description: 'The file.' } };
    schema['required'] = [...((schema['required'] ?? []) as string[]), file];
  }
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } };
}

const MEANINGS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; the work goes on.',
  204: 'Done; there is nothing to say.',
  206: 'The part that was asked for.',
  304: 'The client has it already.',
};

function toSuccessResponses(endpoint: Endpoint, endpoints: readonly Endpoint[], components: Components): Json {
  const entries = Object.entries(endpoint.answers).map(([key, answer]) => {
    const status = Number(key);
    const description = MEANINGS[status] ?? 'Done.';
    if (answer === null) {
      const headers = toAnswerHeaders(endpoint, status);
      const content = toBytesContent(endpoint, status);
      return [status, { description, headers, ...(Object.keys(content).length > 0 && { content }) }];
    }
    const schema = components.add(answer, 'output');
    const example = makeExample(schema, components.schemas, status);
    return [
      status,
      {
        description,
        headers: toAnswerHeaders(endpoint, status, example),
        content: { 'application/json': { schema, example }, ...toBytesContent(endpoint, status) },
        ...(endpoint.location !== undefined && { links: toLinks(endpoint.location, endpoints) }),
      },
    ];
  });
  return Object.fromEntries(entries) as Json;
}

function toBytesContent({ produces = [] }: Endpoint, status: number): Json {
  if (status === 304) return {};
  const schemaOf = (type: string) => (type.startsWith('text/') ? { type: 'string' } : BINARY);
  return Object.fromEntries(produces.map((type) => [type, { schema: schemaOf(type) }]));
}

/** Returns links to what can be called with the id of what was just made: every endpoint at, or below, its location. */
function toLinks(location: string, endpoints: readonly Endpoint[]): Json {
  const [prefix = '', field = ''] = location.split(/[{}]/);
  const following = endpoints.flatMap(({ operationId, path, params }) => {
    const [name, ...more] = Object.keys(params?.shape ?? {});
    if (name === undefined || more.length > 0 || !path.startsWith(`${prefix}{${name}}`)) return [];
    return [[operationId, { operationId, parameters: { [name]: `$response.body#/${field}` } }]];
  });
  return Object.fromEntries(following) as Json;
}
