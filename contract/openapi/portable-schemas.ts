/**
 * Rewrites the schemas of a document in the form that generators of clients support: oapi-codegen, OpenAPI Generator,
 * openapi-python-client. `npm run test:clients` generates and runs these clients.
 */
import type { oas32 } from 'zod-openapi';

type Json = Record<string, unknown>;

/** Changes the document. */
export function makePortable(document: oas32.OpenAPIObject): void {
  const { schemas = {}, responses } = document.components ?? {};
  const paths = Object.values(document.paths ?? {});
  const operations = paths.flatMap((path) => Object.values(path) as oas32.OperationObject[]);
  const requests = operations.map(({ requestBody, parameters }) => ({ requestBody, parameters }));
  const requested = collectNames(requests, schemas as Record<string, Json>);
  const returned = Object.entries(schemas).filter(([name]) => !requested.has(name));
  forEachSchema(document, simplify);
  forEachSchema([operations.map((operation) => operation.responses), responses, returned], listValues);
}

/** Returns the names of the schemas that a value refers to, also indirectly. */
function collectNames(value: unknown, schemas: Record<string, Json>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    collectNames(schemas[name], schemas, found);
  }
  return found;
}

/** Calls the function for every object of a document except its examples. */
function forEachSchema(value: unknown, change: (schema: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) change(value as Json);
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') forEachSchema(inner, change);
  }
}

function simplify(schema: Json): void {
  const { type, format, const: only } = schema;
  if (Array.isArray(type) && type.filter((each) => each !== 'null').length > 1) {
    delete schema['type'];
    schema['anyOf'] = type.map((each: string) => ({ type: each }));
  }
  // Go and Java parse the text as a time and can't match it against a pattern.
  if (format === 'date-time' || format === 'date') delete schema['pattern'];
  if (typeof only === 'boolean') {
    delete schema['const'];
    schema['description'] = join([descriptionOf(schema), `Always ${only}.`]);
  }
}

/** Lists the values of an enumeration without closing it: generated clients would refuse the values of a newer release. */
function listValues(schema: Json): void {
  const { type, const: only, enum: values = only === undefined ? undefined : [only] } = schema;
  if (!Array.isArray(values) || type !== 'string') return;
  const listed = `Values: ${values.map((value) => `\`${value}\``).join(', ')}.`;
  delete schema['enum'];
  delete schema['const'];
  Object.assign(schema, { description: join([descriptionOf(schema), listed]), 'x-extensible-enum': values });
}

const descriptionOf = ({ description }: Json) => description as string | undefined;

const join = (sentences: (string | undefined)[]) => sentences.filter((sentence) => sentence !== undefined).join(' ');
