/** Reads the requested fields from a provider's request. */

export interface DeclaredField {
  name: string;
  type: 'boolean' | 'integer' | 'number' | 'string' | 'enum' | 'string_list';
  question: string;
  options: readonly string[];
}

/** A schema in any provider's dialect. */
export interface Schema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

export interface Declaration {
  fields: readonly DeclaredField[];
  /** True if the answer must have rows of names and texts. */
  asRows: boolean;
}

/** Returns the requested fields from the schema or, if it has rows, from the instructions. */
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
