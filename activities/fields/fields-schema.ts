/**
 * The fields' part of the answer's schema. It has no union, optional property or limit, so all providers' strict modes
 * accept it: docs/decisions.md, "Fields".
 */
import { FIELD_TYPE_FACTS, answeredByModel } from '../../contract/fields/field-types.ts';
import { createHash } from 'node:crypto';
import type { FieldEncoding, LlmProviderName } from '../../contract/values/constants.ts';
import { schemaCharacters, type ResultField } from '../../contract/fields/result-fields.ts';

/** The subset of JSON Schema for answers. */
export interface JsonSchema {
  type: string;
  description?: string;
  enum?: readonly string[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: false;
}

/** Returns the first properties of an answer: evidence, then values. */
export function fieldsSchema(declared: readonly ResultField[], encoding: FieldEncoding): Record<string, JsonSchema> {
  const fields = answeredByModel(declared);
  if (fields.length === 0) return {};
  const values = encoding === 'rows' ? ROWS : object(Object.fromEntries(fields.map(propertyOf)));
  return { ...(fields.some(({ evidence }) => evidence) && { evidence: EVIDENCE }), fields: values };
}

export const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const text: JsonSchema = { type: 'string' };

/** The field's name is not an enum, which would double the text that providers count. */
const EVIDENCE: JsonSchema = {
  type: 'array',
  description:
    'First: for each field, the words that show its value, copied word for word from one turn; at most 3 each.',
  items: object({ field: text, turn: { type: 'integer' }, quote: text }),
};

/** The same schema for all fields; the instructions list them. */
const ROWS: JsonSchema = {
  type: 'array',
  description: 'One row per field, with its value as text.',
  items: object({ name: text, value: text }),
};

/** A value is a list of at most one item: an empty list replaces null, which would need a union. */
function propertyOf(field: ResultField): [string, JsonSchema] {
  const { name, type, options } = field;
  const { json, isList } = FIELD_TYPE_FACTS[type];
  const items = { type: json, ...(options && { enum: options }) };
  return [name, { type: 'array', items, description: `${questionOf(field)} ${ROOM[isList ? 'many' : 'one']}` }];
}

const ROOM = { one: '[] if not stated, else one value.', many: '[] if not stated, else every one.' };

/** Returns a field's description with its limits, which the schema does not contain. */
export function questionOf({ description, minimum, maximum }: ResultField): string {
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return `${description.trim()}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`;
}

/** Characters of names and options above which Gemini refuses a schema. Gemini documents no limit. */
const GEMINI_CHARACTERS = 1_400;

/** Returns the encoding for the first call. If the model refuses the schema, the fields are requested as rows. */
export function firstEncoding(provider: LlmProviderName, fields: readonly ResultField[]): FieldEncoding {
  return provider === 'gemini' && schemaCharacters(answeredByModel(fields)) > GEMINI_CHARACTERS ? 'rows' : 'strict';
}

/** Returns a key for the schema that a model may refuse. */
export function hashFieldsSchema(fields: readonly ResultField[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fieldsSchema(fields, 'strict')))
    .digest('base64url')
    .slice(0, 22);
}
