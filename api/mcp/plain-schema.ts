/** Describes the arguments of a tool in the part of JSON Schema that every client and model accepts. */
import type { z } from 'zod';

type Schema = Record<string, unknown>;

/** Several models refuse these, and others ignore them. The endpoint checks everything again. */
const REFUSED = new Set(['$defs', '$ref', 'allOf', 'if', 'then', 'else', 'not', 'propertyNames']);

/**
 * Returns the schema for a tool: definitions stand where they are used, and rules between properties and patterns that Google's
 * and OpenAI's engines don't know are left out. Arguments are still checked with the whole schema.
 */
export function describePlainly(input: z.ZodObject): Pick<z.ZodObject, '~standard'> {
  const standard = input['~standard'];
  const describe = (options: Parameters<typeof standard.jsonSchema.input>[0]) => {
    const schema = standard.jsonSchema.input(options) as Schema;
    return plain(schema, (schema['$defs'] ?? {}) as Schema) as Schema;
  };
  return { '~standard': { ...standard, jsonSchema: { ...standard.jsonSchema, input: describe } } };
}

function plain(node: unknown, definitions: Schema): unknown {
  if (Array.isArray(node)) return node.map((item) => plain(item, definitions));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...own } = node as Schema;
  const target = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : undefined;
  const whole = { ...(target as Schema | undefined), ...own };
  return Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => {
      if (REFUSED.has(key) || (key === 'pattern' && String(value).includes('\\u'))) return [];
      const isNamed = key === 'properties';
      return [[key, isNamed ? plainEach(value as Schema, definitions) : plain(value, definitions)]];
    }),
  );
}

/** Names of properties are not keywords. */
const plainEach = (properties: Schema, definitions: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema, definitions)]));
