import type { oas32 } from 'zod-openapi';
import { queuedSession, RECORDED } from './session-example.ts';

type Json = Record<string, unknown>;
export type Schemas = Record<string, Json>;

const ACCEPTED = { ...RECORDED, Session: queuedSession };

/** Adds examples to an operation's parameters and JSON bodies. Tools show them before the examples inside a schema. */
export function addExamples(operation: oas32.OperationObject, schemas: Schemas): void {
  for (const parameter of operation.parameters ?? []) {
    if ('schema' in parameter) moveOutOfSchema(parameter, parameter.schema as Json);
  }
  addBodyExample(operation.requestBody, schemas);
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const recorded = status === '202' ? ACCEPTED : RECORDED;
    addBodyExample(response as oas32.ResponseObject | oas32.ReferenceObject, schemas, recorded);
  }
}

function moveOutOfSchema(parameter: oas32.ParameterObject, { description: _, examples, ...schema }: Json): void {
  parameter.schema = schema;
  if (Array.isArray(examples)) parameter.example = examples[0] as unknown;
}

type Body = oas32.RequestBodyObject | oas32.ResponseObject | oas32.ReferenceObject | undefined;

function addBodyExample(body: Body, schemas: Schemas, recorded = RECORDED): void {
  const json = (body as oas32.RequestBodyObject | undefined)?.content?.['application/json'] as
    | oas32.MediaTypeObject
    | undefined;
  if (json) json.example = createExample(json.schema as Json, { schemas, recorded });
}

interface Sources {
  schemas: Schemas;
  recorded: Record<string, Json>;
}

/** Returns an example for a schema, or undefined if it has none. @param given the recorded value. */
function createExample(schema: Json, sources: Sources, given?: unknown): unknown {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/components/schemas/', '') : '';
  const { examples, anyOf, type, items, properties, ...rest } = sources.schemas[name] ?? schema;
  const recorded = given ?? sources.recorded[name];
  const values = [rest['const'] ?? rest['enum'] ?? rest['x-extensible-enum'] ?? []].flat();
  if (values.length === 1) return values[0];
  if (given === null) return null;
  if (properties && !Array.isArray(examples)) {
    return createObject({ ...rest, properties }, sources, recorded as Json | undefined);
  }
  if (Array.isArray(anyOf)) return createAny(anyOf as Json[], sources, recorded);
  if (recorded !== undefined) return recorded;
  if (Array.isArray(examples)) return examples[0];
  if (values.length > 0) return values[0];
  if (type === 'array') {
    const item = createExample((items ?? {}) as Json, sources);
    return item === undefined ? [] : [item];
  }
  if (type === 'object') return {};
  return Array.isArray(type) && type.includes('null') ? null : undefined;
}

function createAny(options: readonly Json[], sources: Sources, given: unknown): unknown {
  const examples = options.map((option) => createExample(option, sources, given));
  const example = examples.find((value) => value != null);
  return example === undefined && options.some(({ type }) => type === 'null') ? null : example;
}

function createObject({ properties, required = [] }: Json, sources: Sources, given: Json = {}): unknown {
  const entries = Object.entries(properties as Record<string, Json>).flatMap(([name, property]) => {
    const isRequired = (required as string[]).includes(name);
    if (!isRequired && given[name] === undefined && !hasExamples(property, sources)) return [];
    const value = createExample(property, sources, given[name]) ?? (isRequired ? placeholder(property) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

const hasExamples = ({ $ref = '', ...schema }: Json, { schemas }: Sources) =>
  'examples' in (schemas[String($ref).replace('#/components/schemas/', '')] ?? schema);

/** Returns the value of a required property without an example. */
function placeholder({ type, minimum = 1 }: Json): unknown {
  if (type === 'string') return 'text';
  if (type === 'boolean') return true;
  return type === 'number' || type === 'integer' ? minimum : null;
}
