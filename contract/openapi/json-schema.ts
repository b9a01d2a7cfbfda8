/** JSON Schema (draft 2020-12, OpenAPI 3.1's own) from the schemas that validate requests and shape answers. */
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Whether a client writes the value or reads it: defaults and transformations make a difference. */
type Direction = 'input' | 'output';

export interface Components {
  /** Named schemas that were met so far. */
  schemas: Record<string, Json>;
  /** Returns a reference where the schema has a name, or else the schema. */
  add(schema: z.ZodType, io: Direction): Json;
}

export function createComponents(): Components {
  const schemas: Record<string, Json> = {};
  return {
    schemas,
    add(schema, io) {
      const { $schema: _$schema, $defs = {}, ...top } = z.toJSONSchema(schema, { io, override: tidy }) as Json;
      for (const [name, definition] of Object.entries($defs as Record<string, Json>)) {
        const named = pointToComponents(definition) as Json;
        if (schemas[name] && JSON.stringify(schemas[name]) !== JSON.stringify(named)) {
          throw new Error(`two schemas are called ${name}`);
        }
        schemas[name] = named;
      }
      return pointToComponents(top) as Json;
    },
  };
}

/** Fields are declared with one `example`; JSON Schema has a list. The rest is noise to a reader. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void {
  const { example, ...rest } = jsonSchema;
  if (example !== undefined) Object.assign(jsonSchema, { ...rest, examples: [example] });
  delete jsonSchema['example'];
  if (rest['minLength'] === 0) delete jsonSchema['minLength'];
  if (rest['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (rest['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  closeOpenEnum(jsonSchema);
  // Answers may get new fields; clients are not to reject them.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema['additionalProperties'];
}

/** Describes an open enumeration by the values that are documented: a client is to know them by their names. */
export function closeOpenEnum(jsonSchema: { anyOf?: { type?: unknown; enum?: unknown }[] }): void {
  if (!jsonSchema.anyOf?.some((member) => member.enum !== undefined)) return;
  const documented = jsonSchema.anyOf.filter((member) => member.enum !== undefined || member.type !== 'string');
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, documented.length === 1 ? documented[0] : { anyOf: documented });
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === '$ref' && typeof inner === 'string'
      ? inner.replace('#/$defs/', '#/components/schemas/')
      : pointToComponents(inner),
  ]);
  return Object.fromEntries(entries) as Json;
}
