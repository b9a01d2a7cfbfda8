/**
 * The part of the answer's schema that the fields make. It has no union, no optional property and no bound, which is what
 * all vendors' strict modes take: docs/decisions.md, "Fields".
 */
import { createHash } from 'node:crypto';
import type { FieldEncoding, LlmProviderName } from '../../contract/constants.ts';
import { schemaCharacters } from '../../contract/result-fields.ts';
import type { ResultField } from '../../contract/result-fields.ts';

/** JSON Schema as far as answers need it. */
export interface JsonSchema {
  type: string;
  description?: string;
  enum?: readonly string[];
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: false;
}

/** Returns the properties that stand before all others of an answer: words before the values that follow from them. */
export function fieldsSchema(fields: readonly ResultField[], encoding: FieldEncoding): Record<string, JsonSchema> {
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

/** The field's name is no enum: that would double the text that vendors count. */
const EVIDENCE: JsonSchema = {
  type: 'array',
  description: 'First: for each field the words it follows from, copied letter by letter, at most 3 each.',
  items: object({ field: text, turn: { type: 'integer' }, quote: text }),
};

/** The same schema for whatever fields: they are told in the instructions. */
const ROWS: JsonSchema = {
  type: 'array',
  description: 'One row for each field, with its value as text.',
  items: object({ name: text, value: text }),
};

/** Types that JSON Schema has under the same names; the values of all others are texts. */
const ITEM_TYPES = ['boolean', 'integer', 'number'];

/** A value is a list of at most one: an empty one says what null would, without a union. */
function propertyOf(field: ResultField): [string, JsonSchema] {
  const { name, type, options } = field;
  const items = {
    type: ITEM_TYPES.includes(type) ? type : 'string',
    ...(options && { enum: options }),
  };
  return [
    name,
    { type: 'array', items, description: `${questionOf(field)} ${ROOM[type === 'string_list' ? 'many' : 'one']}` },
  ];
}

const ROOM = { one: '[] if not said, else one value.', many: '[] if not said, else every one.' };

/** Returns a field's description, with its bounds, which no schema holds. */
export function questionOf({ description, minimum, maximum }: ResultField): string {
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
  ];
  return `${description.trim()}${bounds.length > 0 ? ` (${bounds.join(', ')})` : ''}`;
}

/** Characters of names and options beyond which Gemini is known to refuse a schema, without a number of its own. */
const GEMINI_CHARACTERS = 1_400;

/** Returns the encoding to begin with. A schema that the model refuses is asked for as rows after all. */
export function firstEncoding(provider: LlmProviderName, fields: readonly ResultField[]): FieldEncoding {
  return provider === 'gemini' && schemaCharacters(fields) > GEMINI_CHARACTERS ? 'rows' : 'strict';
}

/** Returns a key for what a model may refuse: the same fields give the same one. */
export function hashFieldsSchema(fields: readonly ResultField[]): string {
  return createHash('sha256')
    .update(JSON.stringify(fieldsSchema(fields, 'strict')))
    .digest('base64url')
    .slice(0, 22);
}
