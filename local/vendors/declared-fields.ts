/** The fields that a model is asked for, as its vendor's request tells them. */

export interface DeclaredField {
  name: string;
  type: 'boolean' | 'integer' | 'number' | 'string' | 'enum' | 'string_list';
  question: string;
  options: readonly string[];
}

/** A schema in any vendor's dialect. */
export interface Schema {
  type?: string;
  description?: string;
  enum?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

export interface Declaration {
  fields: readonly DeclaredField[];
  /** True if the answer is to have rows of names and texts. */
  asRows: boolean;
}

/** Returns what is asked for: by the schema, or where it has rows, by the lines of the instructions that tell the fields. */
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
