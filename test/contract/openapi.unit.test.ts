import { Validator } from '@seriousme/openapi-schema-validator';
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { WebhookPayloadSchema } from '../../contract/sessions/deliveries.ts';
import type { Endpoint } from '../../contract/values/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { ERRORS } from '../../contract/errors/errors.ts';
import { ProblemSchema, type Problem } from '../../contract/errors/problem.ts';
import { toOpenApi } from '../../contract/openapi/document.ts';
import { errorsOf, ERRORS_OF_ALL } from '../../contract/openapi/problems.ts';

interface Response {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
}

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean; example?: unknown; $ref?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, Response>;
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));

const document = toOpenApi(ENDPOINTS);
const operations = Object.values(document.paths ?? {}).flatMap((path) => Object.values(path) as Operation[]);

const operationOf = ({ path, method }: Endpoint) => document.paths?.[path]?.[method] as unknown as Operation;

/** Returns the response, also if it is a reference. */
function responseOf(endpoint: Endpoint, status: number): Response | undefined {
  const response = operationOf(endpoint).responses[status];
  return (response?.$ref === undefined ? response : resolve(response.$ref)) as Response | undefined;
}

function resolve(ref: string): unknown {
  expect(ref).to.match(/^#\//);
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], document);
}

type Json = Record<string, unknown>;

/** Returns every object of a document except its examples. */
function collectSchemas(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).filter(([key]) => key !== 'example' && key !== 'examples');
  return [value as Json, ...inner.flatMap(([, member]) => collectSchemas(member))];
}

/** Returns the names of the schemas that a value refers to, also indirectly. */
function findNames(value: unknown, found = new Set<string>()): Set<string> {
  for (const ref of collectRefs(value ?? null).filter((each) => each.startsWith('#/components/schemas/'))) {
    const name = ref.split('/').at(-1) ?? '';
    if (!found.has(name)) findNames(resolve(ref), found.add(name));
  }
  return found;
}

function collectRefs(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : collectRefs(inner),
  );
}

describe('docs/openapi.json', () => {
  it('is generated from the contract', () => {
    const message = 'docs/openapi.json differs from the contract. If the change is intended, run `npm run openapi`.';
    expect(read('docs/openapi.json'), message).to.deep.equal(document);
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
  });

  it('has no patterns with surrogates, which other languages refuse', () => {
    const patterns = JSON.stringify(document).match(/"pattern":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(patterns).not.to.deep.equal([]);
    expect(patterns.filter((pattern) => /\\ud[89a-f]/i.test(pattern))).to.deep.equal([]);
  });

  it('has exactly the endpoints of the contract, each with its own ID', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids).to.have.members(ENDPOINTS.map(({ operationId }) => operationId));
    for (const endpoint of ENDPOINTS) expect(operationOf(endpoint).operationId).to.equal(endpoint.operationId);
    expect(new Set([...ids, 'onSessionCompleted']).size).to.equal(ids.length + 1);
  });

  it('has no broken references', () => {
    const refs = collectRefs(document);
    expect(refs).not.to.equal([]);
    for (const ref of refs) expect(resolve(ref), ref).to.be.an('object');
  });

  it('names every object that may be null, and no union with null: generators for Python read no other form', () => {
    const isObject = (option: { properties?: object }) => option.properties !== undefined;
    const unnamed = JSON.stringify(document, (_, value: { anyOf?: object[]; type?: unknown }) =>
      value?.anyOf?.some(isObject) && JSON.stringify(value.anyOf).includes('{"type":"null"}') ? 'UNNAMED' : value,
    );
    expect(unnamed).not.to.contain('UNNAMED');
  });

  it('never combines a reference with additionalProperties: false, which would refuse every property', () => {
    expect(JSON.stringify(document)).not.to.match(/"additionalProperties":false,[^{}]*"\$ref"/);
    expect(JSON.stringify(document)).not.to.match(/"\$ref":"[^"]*",[^{}]*"additionalProperties"/);
  });

  it('§5.1 requires a token except for endpoints without a scope', () => {
    expect(document['security']).to.deep.equal([{ bearer: [] }]);
    const open = operations.filter(({ security }) => security !== undefined);
    const ids = ENDPOINTS.filter(({ scope }) => scope === null).map(({ operationId }) => operationId);
    expect(open.map(({ operationId }) => operationId)).to.have.members(ids);
    for (const { security } of open) expect(security).to.deep.equal([]);
  });

  it('has no forms of schemas for which generators of clients write code that does not compile', () => {
    const found = collectSchemas(document).filter(({ type, const: only, format, pattern }) => {
      const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
      return types.length > 1 || typeof only === 'boolean' || (/^date/.test(String(format)) && pattern !== undefined);
    });
    expect(found).to.deep.equal([]);
    const properties = collectSchemas(document.components?.schemas).flatMap((schema) =>
      Object.values((schema['properties'] ?? {}) as Record<string, Json>),
    );
    expect(properties.filter(({ type, description }) => type === 'null' && description !== undefined)).to.deep.equal(
      [],
    );
  });

  it('closes no enumeration and no object of a response or webhook, because releases add values and properties', () => {
    const { schemas = {}, responses } = document.components ?? {};
    const bodies = operations.flatMap(({ requestBody, parameters }) => [requestBody, parameters]);
    const requested = findNames(bodies);
    const returned = Object.entries(schemas).filter(([name]) => !requested.has(name));
    expect(Object.fromEntries(returned)).to.include.keys(
      'Session',
      'Problem',
      'WebhookPayload',
      'FailedWebhookPayload',
    );
    const open = collectSchemas([returned, responses, operations.map((operation) => operation.responses)]);
    const closed = open.filter((schema) => 'enum' in schema || schema['additionalProperties'] === false);
    expect(closed).to.deep.equal([]);
  });

  it('lists the errors that docs/errors.md lists: each is declared by an operation, or can be returned by all', () => {
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| (`.+`) \| (\d+) \|/gm)].flatMap(([, codes = '', status]) =>
      [...codes.matchAll(/\w+/g)].map(([code]) => [code, Number(status)]),
    );
    expect(listed).to.have.deep.members(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
    const declared = new Set([...ENDPOINTS.flatMap(errorsOf), ...ERRORS_OF_ALL]);
    expect([...declared]).to.have.members(listed.map(([code]) => code));
    for (const endpoint of ENDPOINTS) {
      const documented = Object.values(operationOf(endpoint).responses).flatMap((response) => {
        const { content } = (response.$ref ? resolve(response.$ref) : response) as {
          content?: Record<string, { examples?: object }>;
        };
        return Object.keys(content?.['application/problem+json']?.examples ?? {});
      });
      expect(documented, endpoint.operationId).to.have.members(errorsOf(endpoint));
    }
  });

  it('lists every error code of a Problem', () => {
    const { properties } = resolve('#/components/schemas/Problem') as { properties: { code: Json } };
    expect(properties.code['x-extensible-enum']).to.have.members(Object.keys(ERRORS));
  });

  it('§6 describes the webhook with a valid example', () => {
    const { post } = (document['webhooks'] as Record<string, { post: Operation }>)['session.completed']!;
    const example = post.requestBody?.content['application/json']?.example;
    expect(WebhookPayloadSchema.parse(example)).to.deep.equal(example);
    const names = post.parameters.map(({ name }) => name);
    expect(names).to.include.members(['X-Webhook-Event', 'X-Webhook-Delivery']);
  });

  for (const endpoint of ENDPOINTS) describe(endpoint.operationId, () => describeEndpoint(endpoint));
});

function describeEndpoint(endpoint: Endpoint): void {
  const operation = operationOf(endpoint);

  it('describes its input with valid examples', () => {
    const { params, query, headers, body } = endpoint;
    const declared = Object.entries({ path: params, query, header: headers }).flatMap(([place, schema]) =>
      Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>).map((entry) => [place, ...entry] as const),
    );
    for (const [place, name, field] of declared) {
      const parameter = operation.parameters.find((one) => one.in === place && one.name?.toLowerCase() === name);
      expect(parameter, name).to.be.an('object');
      if (parameter?.example !== undefined) field.parse(parameter.example);
      if (place === 'path') expect(parameter?.required).to.equal(true);
    }
    const example = operation.requestBody?.content['application/json']?.example;
    expect(example === undefined).to.equal(body === undefined);
    body?.parse(example);
  });

  it('describes its answers with valid examples', () => {
    for (const [status, schema] of Object.entries(endpoint.answers)) {
      const response = responseOf(endpoint, Number(status));
      expect(response?.headers).to.have.property('X-Request-Id');
      if (schema === null) {
        expect(response?.content?.['application/json']).to.equal(undefined);
        continue;
      }
      const example = response?.content?.['application/json']?.example;
      expect(schema.parse(example)).to.deep.equal(example);
      const field = /\{(\w+)\}/.exec(endpoint.location ?? '')?.[1];
      if (field !== undefined && field in (example as object)) expect(response?.headers).to.have.property('Location');
    }
  });

  it('describes its errors, each with an example', () => {
    const { scope, params, body, upload, errors = [] } = endpoint;
    const statuses = [
      429,
      500,
      503,
      ...(scope !== null ? [401] : []),
      ...(params ? [404] : []),
      ...(body || upload ? [400, 413, 415, 422] : []),
      ...errors.map((code) => ERRORS[code].status),
    ];
    for (const status of statuses) {
      const response = responseOf(endpoint, status);
      const examples = Object.entries(response?.content?.['application/problem+json']?.examples ?? {});
      expect(examples, String(status)).not.to.deep.equal([]);
      for (const [code, { value }] of examples) {
        expect(ProblemSchema.parse(value)).to.deep.equal(value);
        const problem = value as Problem;
        expect([problem.code, problem.status]).to.deep.equal([code, status]);
      }
    }
    expect(responseOf(endpoint, 429)?.headers).to.have.property('Retry-After');
    expect(responseOf(endpoint, 503)?.headers).to.have.property('Retry-After');
    if (scope !== null) expect(responseOf(endpoint, 401)?.headers).to.have.property('WWW-Authenticate');
  });
}
