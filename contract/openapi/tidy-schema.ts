import type { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/** Leaves out of a schema what is noise to a reader. */
export const tidySchema: ZodOpenApiOverride = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  closeOpenEnum(jsonSchema);
  // Answers may get new fields; clients are not to reject them.
  const { def } = zodSchema._zod;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
};

/** Describes an open enumeration by the values that are documented: a client is to know them by their names. */
export function closeOpenEnum(jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const options = jsonSchema.anyOf;
  if (!options?.some((option) => option.enum !== undefined)) return;
  const documented = options.filter((option) => option.enum !== undefined || option.type !== 'string');
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, documented.length === 1 ? documented[0] : { anyOf: documented });
}
