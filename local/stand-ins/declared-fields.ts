/** Reads the requested fields from a request to a provider. */
import type { FieldType } from '../../contract/values/constants.ts';

export interface DeclaredField {
  name: string;
  type: FieldType;
  question: string;
  options: readonly string[];
}

/** A JSON schema as any of the providers accepts it. */
export interface Schema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

export interface Declaration {
  fields: readonly DeclaredField[];
  /** Whether the response must contain rows of names and texts. */
  asRows: boolean;
}

/** Returns the requested fields: from the schema, or from the instructions if the schema has rows. */
export function readDeclaration(schema: Schema | undefined, system: string): Declaration | undefined {
  const fields = schema?.properties?.['fields'];
  if (!fields) return undefined;
  if (fields.type === 'array') return { fields: readRows(system), asRows: true };
  return { fields: Object.entries(fields.properties ?? {}).map(readProperty), asRows: false };
}

function readProperty([name, { items = {}, description = '' }]: [string, Schema]): DeclaredField {
  const options = items.enum ?? [];
  const scalar = options.length > 0 ? 'enum' : (items.type as DeclaredField['type']);
  const type = /every one\.$/.test(description) ? 'string_list' : scalar;
  return { name, type, question: description, options };
}

function readRows(system: string): DeclaredField[] {
  const lines = system.split('\n').filter((line) => line.startsWith('{"name":'));
  return lines.map((line) => ({ options: [], ...(JSON.parse(line) as Omit<DeclaredField, 'options'>) }));
}
