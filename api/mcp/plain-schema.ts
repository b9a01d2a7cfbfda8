/** Describes the arguments of a tool in the part of JSON Schema that every client and model accepts, and reads what they send. */
import type { z } from 'zod';

type Schema = Record<string, unknown>;

/** The keywords that the engines of Google, OpenAI and others know. Several refuse a schema with any other. */
const KNOWN = new Set(
  'type description enum properties required items anyOf default minimum maximum minItems maxItems minLength maxLength'.split(
    ' ',
  ),
);

/**
 * Returns the schema of a tool: definitions stand where they are used, and other keywords are left out. Arguments are checked with
 * the whole schema, as models mean them: without members that are null, and with JSON in a text as the value where no text is wanted.
 */
export function describePlainly(input: z.ZodObject): Pick<z.ZodObject, '~standard'> {
  const standard = input['~standard'];
  const describe = (options: Parameters<typeof standard.jsonSchema.input>[0]) => {
    const schema = standard.jsonSchema.input(options) as Schema;
    return plain(schema, (schema['$defs'] ?? {}) as Schema) as Schema;
  };
  const { properties = {} } = describe({ target: 'draft-2020-12' }) as { properties?: Record<string, Schema> };
  const validate: typeof standard.validate = (value, options) => standard.validate(asMeant(value, properties), options);
  return { '~standard': { ...standard, validate, jsonSchema: { ...standard.jsonSchema, input: describe } } };
}

function plain(node: unknown, definitions: Schema): unknown {
  if (Array.isArray(node)) return node.map((item) => plain(item, definitions));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...own } = node as Schema;
  const target = typeof $ref === 'string' ? definitions[$ref.replace('#/$defs/', '')] : undefined;
  const whole = { ...(target as Schema | undefined), ...own };
  return Object.fromEntries(
    Object.entries(whole).flatMap(([key, value]) => {
      if (key === 'const') return [['enum', [value]]];
      if (!KNOWN.has(key)) return [];
      // Names of properties are no keywords, and values of enumerations and defaults no schemas.
      if (key === 'enum' || key === 'default') return [[key, value]];
      return [[key, key === 'properties' ? plainEach(value as Schema, definitions) : plain(value, definitions)]];
    }),
  );
}

const plainEach = (properties: Schema, definitions: Schema) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, plain(schema, definitions)]));

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function asMeant(value: unknown, properties: Record<string, Schema>): unknown {
  if (!isObject(value)) return value;
  const given = Object.entries(withoutNulls(value)).map(([name, member]) => [name, read(member, properties[name])]);
  return Object.fromEntries(given);
}

const withoutNulls = (value: Schema): Schema =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, isObject(member) ? withoutNulls(member) : member]],
    ),
  );

function read(value: unknown, schema: Schema = {}): unknown {
  if (typeof value !== 'string' || schema['type'] === undefined || schema['type'] === 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
