import type { oas32 } from 'zod-openapi';
import { ACCEPTED, BODIES } from './examples.ts';

type Json = Record<string, unknown>;
export type Schemas = Record<string, Json>;

/** Adds examples to an operation's parameters and JSON bodies. Tools show them before the examples inside a schema. */
export function addExamples(operation: oas32.OperationObject, schemas: Schemas): void {
  for (const parameter of operation.parameters ?? []) {
    if ('schema' in parameter) moveOutOfSchema(parameter, parameter.schema as Json);
  }
  addBodyExample(operation.requestBody, schemas);
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    addBodyExample(response as oas32.ResponseObject | oas32.ReferenceObject, schemas, Number(status));
  }
}

function moveOutOfSchema(parameter: oas32.ParameterObject, { description: _, examples, ...schema }: Json): void {
  parameter.schema = schema;
  if (Array.isArray(examples)) parameter.example = examples[0] as unknown;
}

type Body = oas32.RequestBodyObject | oas32.ResponseObject | oas32.ReferenceObject | undefined;

function addBodyExample(body: Body, schemas: Schemas, status?: number): void {
  const json = (body as oas32.RequestBodyObject | undefined)?.content?.['application/json'] as
    | oas32.MediaTypeObject
    | undefined;
  if (json) json.example ??= makeExample(json.schema as Json, schemas, status);
}

/** Returns an example for a schema, or undefined if it has none. */
function makeExample(schema: Json, schemas: Schemas, status?: number): unknown {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/components/schemas/', '') : '';
  if (status === 202 && name in ACCEPTED) return ACCEPTED[name];
  if (name in BODIES) return BODIES[name];
  return make(schemas[name] ?? schema, schemas);
}

function make(schema: Json, schemas: Schemas): unknown {
  const { examples, anyOf, type, items } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if (Array.isArray(anyOf)) return makeAny(anyOf as Json[], schemas);
  if (type === 'object') return makeObject(schema, schemas);
  if (type === 'array') {
    const item = makeExample((items ?? {}) as Json, schemas);
    return item === undefined ? [] : [item];
  }
  return Array.isArray(type) && type.includes('null') ? null : undefined;
}

function makeAny(options: readonly Json[], schemas: Schemas): unknown {
  const made = options.map((option) => makeExample(option, schemas)).find((value) => value != null);
  return made === undefined && options.some(({ type }) => type === 'null') ? null : made;
}

function makeObject({ properties = {}, required = [] }: Json, schemas: Schemas): unknown {
  const entries = Object.entries(properties as Record<string, Json>).flatMap(([name, field]) => {
    const isRequired = (required as string[]).includes(name);
    const value = makeExample(field, schemas) ?? (isRequired ? placeholder(field) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the value of a required field without an example. */
function placeholder({ type, minimum = 0 }: Json): unknown {
  if (type === 'string') return 'text';
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? minimum : null;
}
